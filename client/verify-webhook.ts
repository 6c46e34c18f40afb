import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Event, WebhookTestEvent } from './generated/types.gen.ts';

/** The delivery is not from the service, or too old. Answer it with 401; the message is for your own log. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

export interface WebhookDelivery {
  /** The receiving endpoint's secret with its `whsec_`; several during a rotation. */
  readonly secret: string | readonly string[];
  /** Node's `request.headers`, or `Headers` of fetch. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The raw bytes, because parsed and serialised JSON would differ. */
  readonly body: Uint8Array | string;
  /** Largest accepted age of the delivery, including clock differences; 300 by default. */
  readonly toleranceSeconds?: number;
  /**
   * Which signatures are required; both by default. `service` alone does not detect a replayed delivery, so use it only
   * where a proxy drops the `webhook-` headers.
   */
  readonly schemes?: readonly ('service' | 'standard')[];
  /** Milliseconds since 1970. */
  readonly now?: number;
}

/**
 * Returns the event of a correctly signed delivery. With `data.test` it is a trial: answer it, and do nothing else.
 * Throws {@link WebhookVerificationError} otherwise.
 */
export function verifyWebhook(delivery: WebhookDelivery): Event | WebhookTestEvent {
  const { secret, headers, schemes = ['service', 'standard'], toleranceSeconds = 300, now = Date.now() } = delivery;
  const body = typeof delivery.body === 'string' ? Buffer.from(delivery.body) : delivery.body;
  const secrets = (typeof secret === 'string' ? [secret] : secret).filter((one) => one !== '');
  if (secrets.length === 0) throw new WebhookVerificationError('There is no secret to verify with');
  if (schemes.length === 0) throw new WebhookVerificationError('At least one signature must be asked for');
  const header = headerReader(headers);
  if (schemes.includes('service') && !secrets.some((one) => isServiceSigned(header, body, one)))
    throw new WebhookVerificationError('X-Service-Signature does not fit the body');
  if (schemes.includes('standard')) {
    const ageSeconds = Math.abs(now / 1_000 - Number(header('webhook-timestamp')));
    if (!/^\d+$/.test(header('webhook-timestamp')) || ageSeconds > toleranceSeconds)
      throw new WebhookVerificationError(`webhook-timestamp is not within ${toleranceSeconds} s of now`);
    if (!secrets.some((one) => isStandardSigned(header, body, one)))
      throw new WebhookVerificationError('webhook-signature does not fit id, timestamp and body');
  }
  return parse(body);
}

type HeaderReader = (name: string) => string;

function headerReader(headers: WebhookDelivery['headers']): HeaderReader {
  if (headers instanceof Headers) return (name) => headers.get(name) ?? '';
  const byName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return (name) => {
    const value = byName.get(name);
    return typeof value === 'string' ? value : (value?.[0] ?? '');
  };
}

const isServiceSigned = (header: HeaderReader, body: Uint8Array, secret: string): boolean =>
  isEqual(header('x-service-signature'), `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);

function isStandardSigned(header: HeaderReader, body: Uint8Array, secret: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = `${header('webhook-id')}.${header('webhook-timestamp')}.`;
  const expected = `v1,${createHmac('sha256', key).update(signed).update(body).digest('base64')}`;
  // The header may hold several signatures, separated by spaces.
  return header('webhook-signature')
    .split(' ')
    .some((candidate) => isEqual(candidate, expected));
}

/** Takes the same time wherever the two differ, so that a signature can't be guessed byte by byte. */
function isEqual(given: string, expected: string): boolean {
  const [one, two] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === two.length && timingSafeEqual(one, two);
}

function parse(body: Uint8Array): Event | WebhookTestEvent {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8')) as Event | WebhookTestEvent; // eslint-disable-line @typescript-eslint/consistent-type-assertions -- signed by the service
  } catch (error) {
    throw new WebhookVerificationError('The body is no JSON', { cause: error });
  }
}
