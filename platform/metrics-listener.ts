import { createServer, type Server, type ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import type { Logger } from './logger.ts';
import { expositionType } from './metrics.ts';

export interface MetricsListenerOptions {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** All metrics as text. */
  readonly read: () => Promise<string>;
  readonly logger: Pick<Logger, 'warn'>;
}

export interface MetricsListener {
  /** `http://host:port/metrics` */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves only `GET /metrics`, on its own listener: metrics are for the operator of the service, and must not be reachable through
 * the API's proxy. Rejects when the port is taken.
 */
export async function listenForMetrics({ host, port, read, logger }: MetricsListenerOptions): Promise<MetricsListener> {
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
    const isAsked = request.method === 'GET' && request.url?.split('?')[0] === '/metrics';
    if (!isAsked) response.writeHead(404).end();
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
