import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { verifyWebhook, WebhookVerificationError } from '../../client/verify-webhook.ts';

export type WebhookEvent = ReturnType<typeof verifyWebhook>;

export interface Receiver {
  readonly port: number;
  close(): Promise<void>;
}

export interface ReceiverOptions {
  readonly port: number;
  /** All addresses of this machine by default. */
  readonly host?: string | undefined;
  readonly tls?: { readonly key: string; readonly cert: string } | undefined;
  /** Called for each delivery, because the endpoint may be created after the receiver. */
  readonly secret: () => string | undefined;
  /** After so many deliveries the answer is 503, so that the sender retries. Infinity: no limit. */
  readonly deliveriesMax: number;
  readonly onEvent: (event: WebhookEvent) => void;
  readonly onRefused: (reason: string) => void;
  /** Address to which each verified delivery is forwarded unchanged. Its status is returned to the sender. */
  readonly forwardTo?: string | undefined;
}

const bodyBytesMax = 1_000_000;

/** A receiver that answers 204 to a correctly signed delivery and 401 to others. */
export async function receiveWebhooks(options: ReceiverOptions): Promise<Receiver> {
  const places = { left: options.deliveriesMax };
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= bodyBytesMax) chunks.push(chunk);
    });
    request.on('end', () => {
      const answer =
        size > bodyBytesMax
          ? Promise.resolve(413)
          : take({ headers: request.headers, body: Buffer.concat(chunks) }, options, places);
      answer.then(
        (status) => response.writeHead(status).end(),
        // The sender retries after this status.
        (error: unknown) => {
          options.onRefused(`not forwarded: ${error instanceof Error ? error.message : String(error)}`);
          response.writeHead(502).end();
        },
      );
    });
  };
  const server = options.tls === undefined ? createServer(listener) : createTlsServer(options.tls, listener);
  await listen(server, options);
  return { port: portOf(server), close: () => close(server) };
}

interface Delivery {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

async function take(delivery: Delivery, options: ReceiverOptions, places: { left: number }): Promise<number> {
  const secret = options.secret();
  try {
    if (secret === undefined) throw new WebhookVerificationError('the secret is not known yet');
    const event = verifyWebhook({ secret, ...delivery });
    if (places.left === 0) return 503;
    // Counted before the forwarding, because other deliveries come meanwhile.
    places.left -= 1;
    const status = await forward(options.forwardTo, delivery).catch((error: unknown) => {
      places.left += 1;
      throw error;
    });
    options.onEvent(event);
    return status;
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    options.onRefused(error.message);
    return 401;
  }
}

const passedOn = [
  'content-type',
  'user-agent',
  'x-service-signature',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
];

async function forward(url: string | undefined, { headers, body }: Delivery): Promise<number> {
  if (url === undefined) return 204;
  const own = passedOn.flatMap((name): [string, string][] => (name in headers ? [[name, String(headers[name])]] : []));
  const response = await fetch(url, {
    method: 'POST',
    headers: new Headers(own),
    body: new Uint8Array(body),
    redirect: 'manual',
    signal: AbortSignal.timeout(9_000),
  });
  await response.body?.cancel();
  return response.status;
}

function listen(server: Server, { port, host }: ReceiverOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, ...(host !== undefined && { host }) }, resolve);
  });
}

function portOf(server: Server): number {
  const address = server.address();
  return isTcp(address) ? address.port : 0;
}

const isTcp = (address: AddressInfo | string | null): address is AddressInfo =>
  typeof address === 'object' && address !== null;

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
