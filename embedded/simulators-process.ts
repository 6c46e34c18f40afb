import type { Certificates } from './certificates.ts';
import { ManagedProcess } from './managed-process.ts';
import type { MarketplaceApplication } from './marketplace.ts';
import { programArguments } from './program-arguments.ts';

export interface SimulatorAddress {
  readonly url: string;
  readonly adminUrl: string;
}

export const simulatorNames = [
  'marketplace',
  'vehicleRegistry',
  'payments',
  'ai',
  'images',
  'webhookReceiver',
  'mail',
] as const;
export type SimulatorName = (typeof simulatorNames)[number];
export type SimulatorAddresses = Readonly<Record<SimulatorName, SimulatorAddress>> & {
  /** Accepts mails by SMTP, and shows them at its `url`. */
  readonly mail: SimulatorAddress & { readonly smtpUrl: string };
};

export interface SimulatorsOptions {
  readonly root: string;
  readonly dataDirectory: string;
  readonly logFile: string;
  readonly ports: Readonly<Record<SimulatorName, number>>;
  /** The SMTP port of the mail simulator. */
  readonly smtpPort: number;
  readonly application: MarketplaceApplication;
  /** Where the marketplace's login page sends a browser. */
  readonly consent?: { readonly acceptUrl: string; readonly rejectUrl: string };
  /** The key that the payment processor requires, and where and how it sends its events; absent: it sends none. */
  readonly payments?: { readonly secretKey: string; readonly webhookUrl: string; readonly webhookSecret: string };
  readonly certificates: Certificates;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** All simulators in one process. `addresses` is set when it is ready. */
export function simulatorsProcess(options: SimulatorsOptions): {
  process: ManagedProcess;
  addresses: () => SimulatorAddresses;
} {
  const { ports, smtpPort, application, consent, payments, certificates } = options;
  const config = {
    dataDir: options.dataDirectory,
    tls: { keyFile: certificates.keyFile, certFile: certificates.certificateFile },
    ports,
    application,
    marketplace: { consent },
    payments,
    mail: { smtpPort },
  };
  let addresses: SimulatorAddresses | undefined;
  const managed = new ManagedProcess({
    name: 'simulators',
    command: process.execPath,
    args: [...programArguments('bin/simulators.ts'), '--config', '-'],
    input: JSON.stringify(config),
    environment: options.environment,
    logFile: options.logFile,
    readySource: 'stdout',
    startTimeoutMs: 30_000,
    stopTimeoutMs: 5_000,
    waitReady: async (announced) => {
      addresses = readAddresses(await announced);
    },
  });
  return {
    process: managed,
    addresses: () => {
      if (addresses === undefined) throw new Error('the simulators have not started yet');
      return addresses;
    },
  };
}

function readAddresses(message: unknown): SimulatorAddresses {
  const { ready } = message as { ready: Partial<SimulatorAddresses> };
  for (const name of simulatorNames) {
    if (ready[name] === undefined) throw new Error(`the simulators did not announce ${name}`);
  }
  return ready as SimulatorAddresses;
}
