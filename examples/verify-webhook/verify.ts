// Checks that a webhook comes from the service and is fresh. To copy: Node's built-ins only.
// Tried by hand: WEBHOOK_SECRET=whsec_… node --import=tsx verify.ts headers.txt < body
import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { pathToFileURL } from 'node:url';

/** What a delivery carries; new fields may come with time, so ignore what you don't know. */
export interface WebhookEvent {
  readonly eventId: string;
  readonly eventType: string;
  readonly timestamp: string;
  readonly data: {
    readonly externalId: string;
    readonly sequence?: number;
    readonly account?: { readonly serviceUserId: string; readonly memberExternalId?: string };
    /** true: you asked for it, to try out your endpoint. Answer it and do nothing else. */
    readonly test?: boolean;
    readonly [field: string]: unknown;
  };
}

const toleranceSeconds = 300;

/** Refuses whatever isn't exactly right; the text says why, for your log and not for the sender. */
export class UntrustedDelivery extends Error {
  override readonly name = 'UntrustedDelivery';
}

/**
 * Checks both signatures over the bytes as they came (parsed and written again they would differ) and returns the event.
 * One of the two is enough; the second one also tells old deliveries, and libraries for Standard Webhooks exist in every language.
 */
export function verifyWebhook(
  rawBody: Buffer,
  headers: IncomingHttpHeaders,
  { secret, now = Date.now() }: { secret: string; now?: number },
): WebhookEvent {
  const digest = createHmac('sha256', secret).update(rawBody).digest('hex');
  if (!isEqual(header(headers, 'x-service-signature'), `sha256=${digest}`))
    throw new UntrustedDelivery('x-service-signature does not fit the body');

  const [id, timestamp] = [header(headers, 'webhook-id'), header(headers, 'webhook-timestamp')];
  const ageSeconds = Math.abs(now / 1000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || ageSeconds > toleranceSeconds)
    throw new UntrustedDelivery('webhook-timestamp is not of the last 5 minutes');
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(rawBody).digest('base64');
  // Several signatures may stand there, separated by spaces, while a secret is being changed.
  const isSigned = header(headers, 'webhook-signature')
    .split(' ')
    .some((candidate) => isEqual(candidate, `v1,${signature}`));
  if (!isSigned) throw new UntrustedDelivery('webhook-signature does not fit id, timestamp and body');
  return JSON.parse(rawBody.toString('utf8')) as WebhookEvent;
}

const header = (headers: IncomingHttpHeaders, name: string): string => String(headers[name] ?? '');

/** Takes the same time wherever the two differ, so that a signature can't be guessed byte by byte. */
function isEqual(given: string, expected: string): boolean {
  const [one, two] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === two.length && timingSafeEqual(one, two);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const lines = readFileSync(process.argv[2] ?? '', 'utf8').split('\n');
  const pairs = lines.map((line) => /^([^:]+):\s*(.*?)\s*$/.exec(line)).filter((pair) => pair !== null);
  const headers = Object.fromEntries(pairs.map(([, name = '', value]) => [name.toLowerCase(), value]));
  try {
    verifyWebhook(readFileSync(0), headers, { secret: process.env['WEBHOOK_SECRET'] ?? '' });
    console.log('verified');
  } catch (error) {
    if (!(error instanceof UntrustedDelivery)) throw error;
    console.log(`refused: ${error.message}`);
    process.exitCode = 1;
  }
}
