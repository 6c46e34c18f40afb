import { deliveredTypes, type DeliveredType } from '../../features/webhooks/rules/event-types.ts';
import { verifyWebhook } from '../../examples/verify-webhook/verify.ts';
import { compileSchema } from '../../schemas/compile-schema.ts';
import { deliveredSchemas } from '../../schemas/events/event-schemas.ts';
import { unnamedKeys } from './unnamed-keys.ts';

/** A request as a receiver got it. */
export interface GottenWebhook {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The exact bytes of the body. */
  readonly rawBase64: string;
}

/**
 * Throws, naming what is wrong, unless every request is what docs/reference/webhooks.md promises. Wherever a test reads what receivers got, it
 * reads through this. `secretsFor` gives the secrets that may have signed for a path; without any, signatures are held to their form only.
 */
export function requireSoundWebhooks(
  webhooks: readonly GottenWebhook[],
  secretsFor: (path: string) => readonly string[] = () => [],
): void {
  const problems = webhooks.flatMap((webhook) =>
    problemsOfWebhook(webhook, secretsFor(webhook.path)).map((problem) => `${webhook.path}: ${problem}`),
  );
  if (problems.length > 0) throw new Error(`receivers got what nobody promised them:\n  ${problems.join('\n  ')}`);
}

/** Everything in which a delivery differs from the schema of its event type and from the promised headers. */
export function problemsOfWebhook(webhook: GottenWebhook, secrets: readonly string[] = []): string[] {
  const raw = Buffer.from(webhook.rawBase64, 'base64');
  const body = parsed(raw);
  if (body === undefined) return ['the body is no JSON object'];
  const { eventId, eventType } = body;
  const unsound = [...problemsOfBody(body), ...problemsOfHeaders(webhook.headers, String(eventId))];
  if (secrets.length > 0 && !secrets.some((secret) => isSigned(webhook, raw, secret)))
    unsound.push('its signatures fit no secret of the endpoint');
  return unsound.map((problem) => `${String(eventType)} ${String(eventId)}: ${problem}`);
}

function parsed(raw: Buffer): Record<string, unknown> | undefined {
  try {
    const body: unknown = JSON.parse(raw.toString('utf8'));
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body } : undefined;
  } catch {
    return undefined;
  }
}

const validators = new Map(deliveredTypes.map((type) => [type, compileSchema(deliveredSchemas[type])]));
const isDeliveredType = (type: unknown): type is DeliveredType => validators.has(type as DeliveredType);

/** Problems of an envelope against its event type, closed: a key that the schema does not name is one. */
export function problemsOfBody(body: Readonly<Record<string, unknown>>): string[] {
  const { eventType } = body;
  if (!isDeliveredType(eventType)) return ['no such event type is documented'];
  const problems = validators.get(eventType)?.problems(body) ?? [];
  return [
    ...problems.map(({ field, message }) => `${field} ${message}`),
    ...unnamedKeys(deliveredSchemas[eventType], body).map((key) => `${key} is in no schema`),
  ];
}

const promisedHeaders = {
  'content-type': /^application\/json(;|$)/,
  'x-service-signature': /^sha256=[0-9a-f]{64}$/,
  'webhook-id': /^evt_.+$/,
  'webhook-timestamp': /^[1-9]\d{9}$/,
  'webhook-signature': /^v1,[A-Za-z0-9+/]{43}=$/,
};

function problemsOfHeaders(headers: GottenWebhook['headers'], eventId: string): string[] {
  const problems = Object.entries(promisedHeaders)
    .filter(([name, form]) => !form.test(headers[name] ?? ''))
    .map(([name]) => `the header ${name} is "${headers[name] ?? ''}"`);
  return headers['webhook-id'] === eventId ? problems : [...problems, 'webhook-id is not the eventId'];
}

/** As of the moment it was signed: how old it may be is the receiver's own clock's affair. */
function isSigned({ headers }: GottenWebhook, raw: Buffer, secret: string): boolean {
  try {
    verifyWebhook(raw, headers, { secret, now: Number(headers['webhook-timestamp']) * 1000 });
    return true;
  } catch {
    return false;
  }
}
