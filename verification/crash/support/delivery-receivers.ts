import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request that arrived with its whole body. */
export interface Arrival {
  /** ms since 1970 */
  readonly at: number;
  /** First part of the path: which receiver it was. */
  readonly receiver: string;
  readonly eventId: string;
  readonly answered: number;
}

export interface DeliveryReceivers {
  readonly url: string;
  readonly arrivals: readonly Arrival[];
  close(): Promise<void>;
}

/** How a receiver behaves is the start of its name. */
const answerMs = { slow: 1_500, late: 900 } as const;
const failuresOfFlaky = 2;

/** Partners' endpoints: `/steady…` answer at once, `/slow…` after 1.5 s, `/late…` after 0.9 s, `/flaky…` fail twice for each event, `/broken…` always. */
export async function startDeliveryReceivers(): Promise<DeliveryReceivers> {
  const arrivals: Arrival[] = [];
  const triesOf = new Map<string, number>();
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { eventId } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { eventId: string };
    const receiver = request.url?.slice(1) ?? '';
    const tries = (triesOf.get(`${receiver} ${eventId}`) ?? 0) + 1;
    triesOf.set(`${receiver} ${eventId}`, tries);
    const answered = statusFor(receiver, tries);
    arrivals.push({ at: Date.now(), receiver, eventId, answered });
    response.statusCode = answered;
    setTimeout(() => response.end(), answerMsOf(receiver)).unref();
  };
  const server = createServer(
    { key: readFileSync(setting('TEST_TLS_KEY_FILE')), cert: readFileSync(setting('TEST_TLS_CERT_FILE')) },
    (request, response) => {
      // A request that a killed process broke off never arrived.
      receive(request, response).catch(() => response.destroy());
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `https://127.0.0.1:${port}`, arrivals, close };
}

const answerMsOf = (receiver: string): number =>
  Object.entries(answerMs).find(([name]) => receiver.startsWith(name))?.[1] ?? 0;

function statusFor(receiver: string, tries: number): number {
  if (receiver.startsWith('broken')) return 500;
  return receiver.startsWith('flaky') && tries <= failuresOfFlaky ? 503 : 200;
}

function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: run the tests by "npm test"`);
  return value;
}
