import { createServer, type Server } from 'node:http';
import { promisify } from 'node:util';
import type { ApiDependencies } from '../dependencies.ts';
import { answerMalformed } from './answer-malformed.ts';
import { createApp } from './create-app.ts';
import { hurryBodies } from './hurry-bodies.ts';

export interface RunningApi {
  /** `http://host:port`, without a slash at the end. */
  readonly url: string;
  /** Takes no new connections, lets the requests under way finish, and cuts off what is left after `drainMs`. */
  close(): Promise<void>;
}

const requestTimeoutMs = 60_000;
const keepAliveTimeoutMs = 65_000;
const drainMs = 10_000;
const idleSweepMs = 20;

/** Rejects when the port is taken. Port 0 takes a free one. */
export async function listen(
  dependencies: ApiDependencies,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<RunningApi> {
  const app = createApp(dependencies);
  // Bodies have a limit of their own, with exceptions.
  const timeouts = { requestTimeout: 0, headersTimeout: requestTimeoutMs, keepAliveTimeout: keepAliveTimeoutMs };
  // The application says itself that the header Host is missing and what may be expected, in the error form.
  const server = createServer({ ...timeouts, requireHostHeader: false }, app).on('checkExpectation', app);
  hurryBodies(server, requestTimeoutMs);
  answerMalformed(server, dependencies.logger);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${portOf(server)}`, close: () => drain(server) };
}

async function drain(server: Server): Promise<void> {
  const closed = promisify(server.close.bind(server))();
  // A connection that is kept alive turns idle when its last answer is out.
  const sweeper = setInterval(() => server.closeIdleConnections(), idleSweepMs);
  const cutOff = setTimeout(() => server.closeAllConnections(), drainMs);
  try {
    await closed;
  } finally {
    clearInterval(sweeper);
    clearTimeout(cutOff);
  }
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  return address.port;
}
