// A webhook receiver to copy, with ../verify-webhook/verify.ts: Node's built-ins only.
// `node --import=tsx examples/webhook-receiver/webhook-receiver.ts --secret whsec_… [--port 8443 --key key.pem --cert cert.pem]`
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { UntrustedDelivery, verifyWebhook, type WebhookEvent } from '../verify-webhook/verify.ts';

const bodyBytesMax = 1_000_000;

export type Verdict = 'new' | 'stale' | 'duplicate' | 'test';

/** Tells what is new. Keep both in your database: this process forgets them when it ends. */
export class Inbox {
  readonly #taken = new Set<string>();
  readonly #lastSequence = new Map<string, number>();

  /**
   * `new` and `stale` are to be acted on; `stale`: something that happened to the item later was taken already, as after a retry or
   * a recovery. `duplicate`: this eventId was taken (deliveries are at least once). `test`: about no item, nothing to do.
   */
  judge(event: WebhookEvent): Verdict {
    if (event.data.test === true) return 'test';
    if (this.#taken.has(event.eventId)) return 'duplicate';
    return (event.data.sequence ?? Infinity) <= this.#lastOf(event) ? 'stale' : 'new';
  }

  /** Only after the event's work is safe: what fails must come again. */
  take(event: WebhookEvent): void {
    if (event.data.test === true) return;
    this.#taken.add(event.eventId);
    this.#lastSequence.set(itemOf(event), Math.max(event.data.sequence ?? 0, this.#lastOf(event)));
  }

  #lastOf(event: WebhookEvent): number {
    return this.#lastSequence.get(itemOf(event)) ?? 0;
  }
}

/** The same externalId may be another member's item. */
const itemOf = ({ data }: WebhookEvent): string => `${data.account?.serviceUserId ?? ''} ${data.externalId}`;

export interface ReceiverOptions {
  readonly secret: string;
  /**
   * Called once for each event, before the answer: keep it short and durable, the sender waits 10 s at most. `isStale`: something
   * newer of the item came before it. Leave the state that you mirror as it is then, but do the rest: a sale is a sale.
   */
  readonly onEvent: (event: WebhookEvent, mark: { readonly isStale: boolean }) => void;
  readonly log?: (line: string) => void;
}

/** For `https.createServer`, or for `http.createServer` behind your own TLS proxy. */
export function webhookListener({ secret, onEvent, log = console.log }: ReceiverOptions): RequestListener {
  const inbox = new Inbox();
  return (request, response) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= bodyBytesMax) chunks.push(chunk);
    });
    request.on('end', () => {
      try {
        if (size > bodyBytesMax) throw new UntrustedDelivery('the body is too large');
        const event = verifyWebhook(Buffer.concat(chunks), request.headers, { secret });
        const verdict = inbox.judge(event);
        if (verdict === 'new' || verdict === 'stale') {
          onEvent(event, { isStale: verdict === 'stale' });
          inbox.take(event);
        }
        log(`${verdict.padEnd(9)} ${event.eventType.padEnd(17)} ${event.data.externalId} ${event.eventId}`);
        response.writeHead(204).end();
      } catch (error) {
        const isUntrusted = error instanceof UntrustedDelivery;
        log(`refused   ${error instanceof Error ? error.message : String(error)}`);
        // 5xx asks for another attempt: right for our own trouble, wrong for a forgery.
        response.writeHead(isUntrusted ? 401 : 500).end();
      }
    });
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const text = { type: 'string', default: '' } as const;
  const { values } = parseArgs({
    options: { secret: text, port: { ...text, default: '8443' }, key: text, cert: text },
  });
  const listener = webhookListener({ secret: values.secret, onEvent: () => undefined });
  const tls = (): object => ({ key: readFileSync(values.key), cert: readFileSync(values.cert) });
  const server = values.key === '' ? createServer(listener) : createTlsServer(tls(), listener);
  server.listen(Number(values.port), () => console.log(`listening on port ${values.port}`));
}
