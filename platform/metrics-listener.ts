import { createServer, type Server, type ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import type { Logger } from './logger.ts';
import { expositionType } from './metric-registry.ts';

export interface MetricsListenerOptions {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** All metrics as text. */
  readonly read: () => Promise<string>;
  /** The answer of `/readyz`; undefined: always ready. */
  readonly isReady?: (() => boolean) | undefined;
  readonly logger: Pick<Logger, 'warn'>;
}

export interface MetricsListener {
  /** `http://host:port/metrics` */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves `GET /metrics`, `/healthz` (200 while the process answers) and `/readyz` (503 while it does not do its work) on a listener
 * of its own: they are for the operator of the service, and must not be reachable through the API's proxy. Rejects when the port is
 * taken.
 */
export async function listenForMetrics({
  host,
  port,
  read,
  isReady = () => true,
  logger,
}: MetricsListenerOptions): Promise<MetricsListener> {
  const answer = async (response: ServerResponse): Promise<void> => {
    try {
      const text = await read();
      response.writeHead(200, { 'content-type': expositionType }).end(text);
    } catch (error) {
      logger.warn({ err: error }, 'metrics.not_read');
      response.writeHead(500).end();
    }
  };
  const server = createServer({ requestTimeout: 10_000, keepAliveTimeout: 65_000 }, (request, response) => {
    const path = request.method === 'GET' ? request.url?.split('?')[0] : undefined;
    if (path === '/healthz') response.writeHead(200).end('ok\n');
    else if (path === '/readyz') response.writeHead(isReady() ? 200 : 503).end(isReady() ? 'ready\n' : 'not ready\n');
    else if (path !== '/metrics') response.writeHead(404).end();
    else answer(response).catch((error: unknown) => logger.warn({ err: error }, 'metrics.not_read'));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${portOf(server)}/metrics`,
    close: () => close(server),
  };
}

async function close(server: Server): Promise<void> {
  const closed = promisify(server.close.bind(server))();
  server.closeAllConnections();
  await closed;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  return address.port;
}
