import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';
const secretBytes = 32;

export interface SignatureInput {
  /** The whole `whsec_…` string. */
  readonly secret: string;
  /** `webhook-id`: the event's id, the same for every attempt, so that receivers can de-duplicate. */
  readonly id: string;
  readonly sentAt: Date;
  /** The raw body exactly as it will be sent. */
  readonly body: Buffer;
}

export type SignatureHeaders = Readonly<
  Record<'X-Service-Signature' | 'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>
>;

/** A new signing secret: `whsec_` + base64 of 32 random bytes. */
export function newWebhookSecret(): string {
  return prefix + randomBytes(secretBytes).toString('base64');
}

/** The masked form, shown after the secret was shown once in full: `whsec_****` and the last four characters. */
export function maskWebhookSecret(secret: string): string {
  return `${prefix}****${secret.slice(-4)}`;
}

/**
 * Both signatures of a delivery. `X-Service-Signature` (specification "Signature"): lowercase hex, keyed by the whole `whsec_…`
 * string as UTF-8. The Standard Webhooks headers: base64, keyed by the bytes that the part after `whsec_` encodes. They cover id
 * and time, so that receivers can refuse old deliveries with an off-the-shelf library.
 */
export function webhookSignatureHeaders({ secret, id, sentAt, body }: SignatureInput): SignatureHeaders {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  const standardKey = Buffer.from(secret.slice(prefix.length), 'base64');
  const plain = createHmac('sha256', Buffer.from(secret, 'utf8')).update(body).digest('hex');
  const standard = createHmac('sha256', standardKey).update(`${id}.${timestamp}.`).update(body).digest('base64');
  return {
    'X-Service-Signature': `sha256=${plain}`,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${standard}`,
  };
}
