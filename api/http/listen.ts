import { createServer, type Server } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Served } from './api-parts.ts';
import { answerMalformed } from './answer-malformed.ts';
import { boundConnections, createDrain, type ConnectionBounds } from './connections.ts';
import { createApp } from './create-app.ts';
import { limitBodyTime } from './streamed-body.ts';

export interface RunningApi {
  /** `http://host:port`, without a slash at the end. */
  readonly url: string;
  /**
   * Reports at `/readyz` that the process stops, and waits `noticeMs` for load balancers. Then it refuses new connections, lets
   * running requests finish, and cuts off the rest after `drainMs`. Resolves with the number of requests that were cut off.
   */
  close(): Promise<number>;
}

export interface ListenOptions extends Partial<Omit<ConnectionBounds, 'isTrusted'>> {
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

const requestTimeoutMs = 60_000;
const keepAliveTimeoutMs = 65_000;
const defaultDrainMs = 10_000;
const bounds = { connectionsMax: 10_000, connectionsPerNetworkMax: 500 };

/** Rejects when the port is taken. */
export async function listen({ context, parts }: Served, options: ListenOptions): Promise<RunningApi> {
  const { host, port, noticeMs = 0, drainMs = defaultDrainMs, pause = wait } = options;
  let isStopping = false;
  const app = createApp({
    context,
    parts: { ...parts, isReady: async () => !isStopping && (await parts.isReady()) },
  });
  // Bodies have a limit of their own, with exceptions.
  const timeouts = { requestTimeout: 0, headersTimeout: requestTimeoutMs, keepAliveTimeout: keepAliveTimeoutMs };
  // The application itself refuses a missing Host or an unknown Expect header, in the error form.
  const server = createServer({ ...timeouts, requireHostHeader: false }, app).on('checkExpectation', app);
  // eslint-disable-next-line @typescript-eslint/no-unsafe-assignment -- Express makes it of the setting, and types no setting
  const isTrusted: (address: string, hop: number) => boolean = app.get('trust proxy fn');
  boundConnections(server, context.logger, {
    connectionsMax: options.connectionsMax ?? bounds.connectionsMax,
    connectionsPerNetworkMax: options.connectionsPerNetworkMax ?? bounds.connectionsPerNetworkMax,
    isTrusted: (address) => isTrusted(address, 0),
  });
  limitBodyTime(server, requestTimeoutMs);
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
      parts.endStreams?.();
      return drain.close(drainMs);
    },
  };
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  return address.port;
}
