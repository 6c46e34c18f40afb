import { randomUUID } from 'node:crypto';
import test from 'ava';

import { accountId } from '../../features/rules/ids.ts';
import { sampleEvent } from '../../features/webhooks/rules/sample-event.ts';
import { newWebhookSecret, webhookSignatureHeaders } from '../../features/webhooks/signature.ts';
import { problemsOfWebhook, requireSoundWebhooks, type GottenWebhook } from '../support/sound-webhooks.ts';
import { present } from '../support/clock.ts';

// The check that every test reads deliveries through must be able to fail.

const secret = newWebhookSecret();
const event = sampleEvent('item.sold', { accountId: accountId(randomUUID()), eventId: 'evt_1', now: present() });

/** A delivery of the body, signed as the product signs. */
function delivered(body: unknown, headers: Record<string, string> = {}): GottenWebhook {
  const raw = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const signed = webhookSignatureHeaders({ secret, id: 'evt_1', sentAt: present(), body: raw });
  const lower = Object.fromEntries(Object.entries(signed).map(([name, value]) => [name.toLowerCase(), value]));
  return {
    path: '/hooks/erp',
    headers: { ...lower, 'content-type': 'application/json', ...headers },
    rawBase64: raw.toString('base64'),
  };
}

const withData = (change: object): object => ({ ...event, data: { ...event.data, ...change } });
const withoutData = (name: string): object => {
  const { [name]: _left, ...data } = event.data;
  return { ...event, data };
};
const image = { url: 'https://images.example.com/1.jpg', reason: 'broken', size: 1 };

// specification: every-event-that-a
test('a delivery that is as promised passes', (t) => {
  t.deepEqual(problemsOfWebhook(delivered(event), [secret]), []);
  t.notThrows(() => requireSoundWebhooks([delivered(event)], () => [newWebhookSecret(), secret]));
});

for (const [name, webhook, problem] of [
  ['an unknown event type', delivered({ ...event, eventType: 'item.lost' }), /no such event type is documented/],
  ['a key that no schema names', delivered(withData({ saleprice: 1 })), /data\.saleprice is in no schema/],
  ['a key beside the envelope', delivered({ ...event, version: 2 }), /version is in no schema/],
  [
    'a key deep inside a list',
    delivered({ ...withData({ imagesProcessed: 0, imagesFailed: [image] }), eventType: 'item.images_ready' }),
    /data\.imagesFailed\.0\.size is in no schema/,
  ],
  ['a field that is missing', delivered(withoutData('sequence')), /data\.sequence is required/],
  ['a field of another type', delivered(withData({ salePrice: '725' })), /data\.salePrice must be a number/],
  ['a body that is no JSON', delivered('<html>'), /the body is no JSON object/],
  ['a body that is a list', delivered([event]), /the body is no JSON object/],
  [
    'another content type',
    delivered(event, { 'content-type': 'text/plain' }),
    /the header content-type is "text\/plain"/,
  ],
  [
    'a signature in base64',
    delivered(event, { 'x-service-signature': 'sha256=Zm9v' }),
    /the header x-service-signature/,
  ],
  [
    'a time in milliseconds',
    delivered(event, { 'webhook-timestamp': '1795255200000' }),
    /the header webhook-timestamp/,
  ],
  ['an id of its own', delivered(event, { 'webhook-id': 'evt_2' }), /webhook-id is not the eventId/],
] as const) {
  // specification: envelope-eventid-evt-eventtype, every-event-that-a
  test(`${name} is found`, (t) => {
    const problems = problemsOfWebhook(webhook);
    t.true(
      problems.some((found) => problem.test(found)),
      problems.join('\n'),
    );
    t.throws(() => requireSoundWebhooks([delivered(event), webhook]), { message: problem });
  });
}

// specification: every-event-that-a
test('signatures by another secret, or over other bytes, are found', (t) => {
  const wrong = ['item.sold evt_1: its signatures fit no secret of the endpoint'];
  t.deepEqual(problemsOfWebhook(delivered(event), [newWebhookSecret()]), wrong);
  const { headers } = delivered(event);
  t.deepEqual(problemsOfWebhook({ ...delivered(JSON.stringify(event, null, 1)), headers }, [secret]), wrong);
});

test('one of the two signatures alone is not enough', (t) => {
  const { headers } = delivered(event);
  const other = delivered({ ...event, timestamp: '2026-03-02T09:15:04.121Z' });
  for (const name of ['x-service-signature', 'webhook-signature']) {
    const half = { ...other, headers: { ...other.headers, [name]: headers[name] ?? '' } };
    t.is(problemsOfWebhook(half, [secret]).length, 1, name);
  }
});
