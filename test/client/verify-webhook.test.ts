import test from 'ava';
import { verifyWebhook, WebhookVerificationError } from '../../client/verify-webhook.ts';
import { newWebhookSecret, webhookSignatureHeaders } from '../../features/webhooks/signature.ts';

const event = {
  eventId: 'evt_1',
  eventType: 'item.sold',
  timestamp: '2026-03-01T00:00:00Z',
  data: { externalId: 'Å1' },
};
const body = Buffer.from(JSON.stringify(event));
const secret = newWebhookSecret();
const sentAt = new Date('2026-03-01T00:00:00Z');
const now = sentAt.getTime();
const headers = webhookSignatureHeaders({ secret, id: event.eventId, sentAt, body });
const lowerCase = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
const delivery = { secret, headers: lowerCase, body, now };

const refuses = (change: Partial<Parameters<typeof verifyWebhook>[0]>): string | undefined => {
  try {
    verifyWebhook({ ...delivery, ...change });
    return undefined;
  } catch (error) {
    return error instanceof WebhookVerificationError ? error.message : `threw ${String(error)}`;
  }
};

test('what the service signs is verified, in every form that headers and bodies come in', (t) => {
  for (const form of [lowerCase, headers, new Headers(headers)])
    for (const bytes of [body, new Uint8Array(body), body.toString('utf8')])
      t.deepEqual<unknown, unknown>(verifyWebhook({ ...delivery, headers: form, body: bytes }), event);
});

test('one byte of body, id, time or either signature changed is refused', (t) => {
  t.regex(refuses({ body: Buffer.concat([body, Buffer.from(' ')]) }) ?? '', /X-Service-Signature/);
  const change = (name: string, value: string) => ({ headers: { ...lowerCase, [name]: value } });
  t.regex(refuses(change('webhook-id', 'evt_2')) ?? '', /webhook-signature/);
  t.regex(refuses(change('webhook-timestamp', String(now / 1_000 + 1))) ?? '', /webhook-signature/);
  t.regex(refuses(change('x-service-signature', 'sha256=')) ?? '', /X-Service-Signature/);
  t.regex(refuses(change('webhook-signature', 'v1,')) ?? '', /webhook-signature/);
  t.regex(refuses({ headers: {} }) ?? '', /X-Service-Signature/);
});

test('a delivery of another time is refused, up to the tolerance that was asked for', (t) => {
  t.is(refuses({ now: now + 299_000 }), undefined);
  t.regex(refuses({ now: now + 301_000 }) ?? '', /webhook-timestamp/);
  t.regex(refuses({ now: now - 301_000 }) ?? '', /webhook-timestamp/);
  t.is(refuses({ now: now + 301_000, toleranceSeconds: 600 }), undefined);
  const recorded = { 'x-service-signature': lowerCase['x-service-signature'] };
  t.regex(refuses({ headers: recorded }) ?? '', /webhook-timestamp/, 'a replay without its time is no way round');
});

test('each scheme can be asked for alone, but not none', (t) => {
  const service = { 'x-service-signature': lowerCase['x-service-signature'] };
  t.is(refuses({ headers: service, schemes: ['service'] }), undefined);
  const { 'x-service-signature': _, ...standard } = lowerCase;
  t.is(refuses({ headers: standard, schemes: ['standard'] }), undefined);
  t.regex(refuses({ schemes: [] }) ?? '', /At least one/);
});

test('while a secret is replaced either is right, and an empty one never is', (t) => {
  t.is(refuses({ secret: [newWebhookSecret(), secret] }), undefined);
  t.regex(refuses({ secret: newWebhookSecret() }) ?? '', /X-Service-Signature/);
  const empty = webhookSignatureHeaders({ secret: '', id: event.eventId, sentAt, body });
  t.regex(refuses({ secret: '', headers: empty }) ?? '', /no secret/);
});
