// The receivers of twenty accounts: sixteen that are always well, and four that fall ill when they are told to.
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { sharedNow } from '../support/clock.ts';
import { serveParent, setting } from './serve-parent.ts';

const healthyCount = 16;
const slowMs = 9_000;
const dripMs = 500;

/** Time of arrival of each event at a receiver that is always well, in ms of the clock that all processes share; of a repeated one, the first. */
const arrivals = new Map<string, number>();
let isIll = false;

const tls = {
  key: readFileSync(setting('BENCH_TLS_KEY_FILE')),
  cert: readFileSync(setting('BENCH_TLS_CERT_FILE')),
};

type Answer = (response: ServerResponse) => void;
const accept: Answer = (response) => response.end();

const illAnswers: Readonly<Record<string, Answer>> = {
  slow: (response) => {
    setTimeout(() => response.end(), slowMs);
  },
  dripping: (response) => {
    response.writeHead(200);
    const drip = setInterval(() => response.write('.'), dripMs);
    response.on('close', () => clearInterval(drip));
  },
};

/** The two that die refuse connections: their server is closed. */
const mortal = ['dead-1', 'dead-2'].map((name) => startReceiver(name, accept));
const suffering = Object.entries(illAnswers).map(([name, answerIll]) =>
  startReceiver(name, (response) => (isIll ? answerIll : accept)(response)),
);
const well = startReceiver('well', accept);

const receivers = await Promise.all([...mortal, ...suffering, well]);
const urlOf = ({ port }: { port: number }): string => `https://127.0.0.1:${port}/hooks`;
const [sturdy, fragile] = [receivers.slice(-1), receivers.slice(0, -1)];
serveParent(
  {
    healthy: sturdy.flatMap((one) => Array.from({ length: healthyCount }, (_, index) => `${urlOf(one)}/${index}`)),
    frail: fragile.map(urlOf),
  },
  { arrivals: () => [...arrivals], count: () => arrivals.size, clear: () => arrivals.clear(), fallIll, recover },
);

function fallIll(): void {
  isIll = true;
  for (const { server } of receivers.slice(0, mortal.length)) {
    server.close();
    server.closeAllConnections();
  }
}

function recover(): void {
  isIll = false;
  for (const { server, port } of receivers.slice(0, mortal.length)) server.listen(port, '127.0.0.1');
}

async function startReceiver(name: string, answer: Answer): Promise<{ server: Server; port: number }> {
  const server = createServer(tls, (request, response) => {
    const at = sharedNow();
    readEventId(request, (eventId) => {
      if (name === 'well' && !arrivals.has(eventId)) arrivals.set(eventId, at);
      answer(response);
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: (server.address() as AddressInfo).port };
}

function readEventId(request: IncomingMessage, done: (eventId: string) => void): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { eventId } = JSON.parse(Buffer.concat(chunks).toString()) as { eventId: string };
    done(eventId);
  });
}
