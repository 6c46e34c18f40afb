import { createHmac } from 'node:crypto';
import test from 'ava';
import { newWebhookSecret, webhookSignatureHeaders } from '../../features/webhooks/signature.ts';
import { present } from '../support/clock.ts';

const body = Buffer.from('{"eventType":"item.sold","data":{"title":"Räksmörgås"}}');
const sign = (secret: string, sentAt = present()) => webhookSignatureHeaders({ secret, id: 'evt_1', sentAt, body });

test('X-Service-Signature is the lowercase hex HMAC-SHA256 of the raw bytes keyed by the whole secret string', (t) => {
  const headers = webhookSignatureHeaders({
    secret: 'whsec_c2VjcmV0',
    id: 'evt_1',
    sentAt: new Date(0),
    body: Buffer.from('{}'),
  });
  t.is(headers['X-Service-Signature'], `sha256=${createHmac('sha256', 'whsec_c2VjcmV0').update('{}').digest('hex')}`);
  t.regex(headers['X-Service-Signature'], /^sha256=[0-9a-f]{64}$/);
});

test('the timestamp is in whole seconds', (t) => {
  t.is(sign(newWebhookSecret(), new Date('2026-11-21T10:00:00.999Z'))['webhook-timestamp'], '1795255200');
});

test('a new secret is whsec_ and the base64 of 32 bytes, and never the same twice', (t) => {
  const secret = newWebhookSecret();
  t.regex(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  t.is(Buffer.from(secret.slice(6), 'base64').length, 32);
  t.not(secret, newWebhookSecret());
});
