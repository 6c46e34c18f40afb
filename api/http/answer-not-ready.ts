import { createServer, type ServerResponse } from 'node:http';
import { Refusal } from '../../features/rules/errors.ts';
import { answerRefusal } from './error-response.ts';
import type { Answer } from './route.ts';

const retryAfterSeconds = 5;

/**
 * Listens at the API's address while the process waits for the database to be migrated: `/healthz` says that it lives, so that no
 * supervisor restarts it, and everything else is 503. Gives what ends that.
 */
export async function answerNotReady({ host, port }: { host: string; port: number }): Promise<() => Promise<void>> {
  const server = createServer(({ url }, response) => {
    if (url === '/healthz') answer(response, { status: 200, body: { status: 'ok' } });
    else if (url === '/readyz') answer(response, { status: 503, body: { status: 'unavailable' } });
    else answer(response, answerRefusal(upgrading));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
}

const upgrading = new Refusal('UNAVAILABLE', 'The service is being upgraded; try again', { retryAfterSeconds });

function answer(response: ServerResponse, { status, body, headers = {} }: Answer): void {
  const own = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store', Connection: 'close' };
  response.writeHead(status, { ...own, ...headers }).end(JSON.stringify(body));
}
