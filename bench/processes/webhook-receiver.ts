// The smallest HTTPS receiver there is: notes when each event came, and says 200.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { sharedNow } from '../support/clock.ts';
import { serveParent, setting } from './serve-parent.ts';

/** Then each delivery needs a connection of its own, and its look-up of the name. */
const isClosing = process.env['BENCH_RECEIVER_CLOSES'] === 'yes';
/** Time of arrival of each event, in ms of the clock that all processes share; of a repeated one, the first. */
const arrivals = new Map<string, number>();

const tls = {
  key: readFileSync(setting('BENCH_TLS_KEY_FILE')),
  cert: readFileSync(setting('BENCH_TLS_CERT_FILE')),
};
const server = createServer(tls, (request, response) => {
  const at = sharedNow();
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    response.writeHead(200, isClosing ? { connection: 'close' } : {}).end();
    const { eventId } = JSON.parse(Buffer.concat(chunks).toString()) as { eventId: string };
    if (!arrivals.has(eventId)) arrivals.set(eventId, at);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  serveParent(
    { url: `https://127.0.0.1:${port}/hooks` },
    { count: () => arrivals.size, arrivals: () => [...arrivals], clear: () => arrivals.clear() },
  );
});
