import type { RequestListener } from 'node:http';
import type { ExecutionContext } from 'ava';
import { createHttpsWebhookSender } from '../../../gateways/webhook-sender/https-webhook-sender.ts';
import type { AttemptOutcome, WebhookSender } from '../../../gateways/webhook-sender/port.ts';
import { createGuardedAgent } from '../../../platform/guarded-agent.ts';
import { localCertificate, startHttps, type LocalServer } from './local-server.ts';

/** A receiver that answers as `listener` does, and a sender that trusts its certificate. */
export async function senderTo(
  t: ExecutionContext,
  listener: RequestListener,
  timeoutMs = 5_000,
): Promise<{ server: LocalServer; send: (path?: string) => Promise<AttemptOutcome>; sender: WebhookSender }> {
  const { authority } = await localCertificate();
  const agent = createGuardedAgent({ allowPrivateNetworks: true, authorities: authority.pem });
  const server = await startHttps(listener);
  t.teardown(async () => {
    await agent.destroy();
    await server.close();
  });
  const sender = createHttpsWebhookSender({ agent, timeoutMs });
  return {
    server,
    sender,
    send: (path = '/hook') =>
      sender.send({
        url: server.url + path,
        body: Buffer.from('{"ä":1}'),
        headers: { 'X-Service-Signature': 'sha256=00' },
      }),
  };
}

export const failureOf = (outcome: AttemptOutcome): string =>
  outcome.kind === 'failed' ? outcome.error : 'it succeeded';
