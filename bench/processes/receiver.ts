// The receivers of partners, over HTTPS. The first part of a path says how the receiver behind it answers; the rest only makes it another
// endpoint. Four more have hosts of their own and fall ill when they are told to.
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { sharedNow } from '../support/pace.ts';
import { serveParent, setting } from './serve-parent.ts';

/** The first call for an event: its id, when it came by {@link sharedNow}, its type, and the external id of its item. */
export type Arrival = readonly [eventId: string, at: number, type: string, externalId: string];

/** Where it answers, and the addresses of those that fall ill. */
export interface Receivers {
  readonly url: string;
  readonly frail: readonly string[];
}

type Answer = (response: ServerResponse) => unknown;

const accept: Answer = (response) => response.writeHead(200).end();
const refuse: Answer = (response) => response.writeHead(500).end();
const [slowMs, dripMs] = [9_000, 500];
let turn = 0;

const answers: Readonly<Record<string, Answer>> = {
  ok: accept,
  broken: refuse,
  /** Refuses one call in twenty. */
  moody: (response) => ((turn += 1) % 20 === 0 ? refuse : accept)(response),
  /** Long enough for a look at what the sender has stored meanwhile. */
  pausing: (response) => setTimeout(() => accept(response), 1_000),
};

const arrivals = new Map<string, Arrival>();
let calls = 0;
let isIll = false;

const well = await listen((response, body, path) => {
  calls += 1;
  note(body);
  (answers[path.split('/')[1] ?? ''] ?? refuse)(response);
});
/** Two that are gone, one that answers late, and one that sends its body a byte at a time for ever. */
const mortal = [await listen(accept), await listen(accept)];
const slow = await listen((response) => (isIll ? setTimeout(() => accept(response), slowMs) : accept(response)));
const dripping = await listen((response) => {
  if (!isIll) return accept(response);
  response.writeHead(200);
  const drip = setInterval(() => response.write('.'), dripMs);
  return response.on('close', () => clearInterval(drip));
});

const urlOf = ({ port }: { port: number }): string => `https://127.0.0.1:${port}`;
serveParent({ url: urlOf(well), frail: [...mortal, slow, dripping].map(urlOf) } satisfies Receivers, {
  arrivals: () => [...arrivals.values()],
  count: () => arrivals.size,
  calls: () => calls,
  clear: () => {
    arrivals.clear();
    calls = 0;
  },
  fallIll: () => {
    isIll = true;
    for (const { server } of mortal) {
      server.close();
      server.closeAllConnections();
    }
  },
});

function note(body: Buffer): void {
  const at = sharedNow();
  const { eventId, eventType, data } = JSON.parse(body.toString()) as {
    eventId: string;
    eventType: string;
    data: { externalId: string };
  };
  if (!arrivals.has(eventId)) arrivals.set(eventId, [eventId, at, eventType, data.externalId]);
}

async function listen(
  answer: (response: ServerResponse, body: Buffer, path: string) => unknown,
): Promise<{ server: Server; port: number }> {
  const tls = {
    key: readFileSync(setting('BENCH_TLS_KEY_FILE')),
    cert: readFileSync(setting('BENCH_TLS_CERT_FILE')),
  };
  const server = createServer(tls, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => answer(response, Buffer.concat(chunks), request.url ?? ''));
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: (server.address() as AddressInfo).port };
}
