import { createServer, type Server } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../../platform/logger.ts';
import type { Served } from './api-parts.ts';
import { answerMalformed } from './answer-malformed.ts';
import { createApp } from './create-app.ts';
import { createDrain } from './drain.ts';

export interface RunningApi {
  /** `http://host:port`, without a slash at the end. */
  readonly url: string;
  /**
   * Reports at `/readyz` that the process stops, and waits `noticeMs` for load balancers. Then it refuses new connections, lets
   * running requests finish, and cuts off the rest after `drainMs`. Resolves with the number of requests that were cut off.
   */
  close(): Promise<number>;
}

export interface ListenOptions {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** Default 0. */
  readonly noticeMs?: number;
  /** Default 10 s. */
  readonly drainMs?: number;
  /** Instead of a real wait of `noticeMs`. */
  readonly pause?: (ms: number) => Promise<unknown>;
}

/** The readers of bodies limit their time: an upload may take hours. */
const timeouts = { headersTimeout: 60_000, requestTimeout: 0, keepAliveTimeout: 65_000 };
/** A connection costs memory before its first header is read. The proxy in front bounds those of one address. */
const connectionsMax = 10_000;
const defaultDrainMs = 10_000;

/** Rejects when the port is taken. */
export async function listen({ context, parts }: Served, options: ListenOptions): Promise<RunningApi> {
  const { host, port, noticeMs = 0, drainMs = defaultDrainMs, pause = wait } = options;
  let isStopping = false;
  const app = createApp({
    context,
    parts: { ...parts, isReady: async () => !isStopping && (await parts.isReady()) },
  });
  // The application itself refuses a missing Host or an unknown Expect header, in the error form.
  const server = createServer({ ...timeouts, requireHostHeader: false }, app);
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.maxConnections = connectionsMax;
  warnOfRefused(server, context.logger);
  answerMalformed(server, context.logger);
  const drain = createDrain(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${portOf(server)}`,
    close: async () => {
      isStopping = true;
      drain.announce();
      // Idle connections stay open meanwhile, because closing one may collide with a request that its caller just sends.
      if (noticeMs > 0) await pause(noticeMs);
      return drain.close(drainMs);
    },
  };
}

const warnedEveryMs = 60_000;

/** One line a minute: one for each connection would fill the log. */
function warnOfRefused(server: Server, logger: Pick<Logger, 'warn'>): void {
  let warnedAt = -Infinity;
  server.on('drop', () => {
    if (performance.now() < warnedAt + warnedEveryMs) return;
    warnedAt = performance.now();
    logger.warn('connections.refused');
  });
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  return address.port;
}
