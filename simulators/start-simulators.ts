import { startAiSimulator } from './ai/start-ai-simulator.ts';
import { startImageServer } from './images/start-image-server.ts';
import { startMailSimulator, type RunningMailSimulator } from './mail/start-mail-simulator.ts';
import type { RunningSimulator } from './kit/start-simulator.ts';
import { startMarketplaceSimulator } from './marketplace/start-marketplace-simulator.ts';
import type { SimulatorName, SimulatorsConfig } from './parse-simulators-config.ts';
import { startPaymentsSimulator } from './payments/start-payments-simulator.ts';
import { startVehicleRegistrySimulator } from './vehicle-registry/start-vehicle-registry-simulator.ts';
import { startWebhookReceiver } from './webhook-receiver/start-webhook-receiver.ts';

export interface RunningSimulators {
  readonly addresses: Readonly<Record<SimulatorName, { url: string; adminUrl: string }>> & {
    readonly mail: { readonly smtpUrl: string };
  };
  close(): Promise<void>;
}

/** Starts all simulators in this process. When one fails to start, the others are closed again. */
export async function startSimulators(config: SimulatorsConfig): Promise<RunningSimulators> {
  const starting = startEach(config);
  const outcomes = await Promise.allSettled(Object.values(starting));
  const running = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const close = async (): Promise<void> => {
    await Promise.all(running.map((simulator) => simulator.close()));
  };
  const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [messageOf(outcome.reason)] : []));
  if (reasons.length > 0) {
    await close();
    throw new Error(reasons.join('; '));
  }
  const address = async (name: SimulatorName) => {
    const { url, adminUrl } = await starting[name];
    return { url, adminUrl };
  };
  const addresses = {
    marketplace: await address('marketplace'),
    vehicleRegistry: await address('vehicleRegistry'),
    payments: await address('payments'),
    ai: await address('ai'),
    images: await address('images'),
    webhookReceiver: await address('webhookReceiver'),
    mail: { ...(await address('mail')), smtpUrl: (await starting.mail).smtpUrl },
  };
  return { addresses, close };
}

function startEach(config: SimulatorsConfig): Record<SimulatorName, Promise<RunningSimulator>> & {
  mail: Promise<RunningMailSimulator>;
} {
  const { tls, application } = config;
  const of = (name: SimulatorName) => config.settings(name);
  const basics = (name: SimulatorName) => ({ port: of(name).port, dataDir: of(name).dataDir });
  return {
    marketplace: startMarketplaceSimulator({
      ...basics('marketplace'),
      application,
      ...config.marketplace,
      processingDelayMs: of('marketplace').number('processingDelayMs'),
      tokenLifeDays: of('marketplace').number('tokenLifeDays'),
      siteUrl: of('marketplace').text('siteUrl'),
    }),
    vehicleRegistry: startVehicleRegistrySimulator({
      port: of('vehicleRegistry').port,
      apiKey: of('vehicleRegistry').text('apiKey'),
    }),
    payments: startPaymentsSimulator({
      ...basics('payments'),
      secretKey: of('payments').text('secretKey'),
      webhookUrl: of('payments').text('webhookUrl'),
      webhookSecret: of('payments').text('webhookSecret'),
    }),
    ai: startAiSimulator({ port: of('ai').port, apiKey: of('ai').text('apiKey') }),
    images: startImageServer({ port: of('images').port, tls, folder: of('images').text('folder') }),
    webhookReceiver: startWebhookReceiver({ ...basics('webhookReceiver'), tls }),
    mail: startMailSimulator({ port: of('mail').port, smtpPort: of('mail').number('smtpPort') }),
  };
}

function messageOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}
