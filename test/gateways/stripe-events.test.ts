import test from 'ava';
import Stripe from 'stripe';
import { InvalidPaymentEvent } from '../../gateways/payments/port.ts';
import { readStripeEvent } from '../../gateways/payments/read-stripe-event.ts';

const at = new Date('2026-03-01T12:00:00Z');
const seconds = at.getTime() / 1_000;
const [secret, older] = ['whsec_new', 'whsec_old'];

const event = {
  id: 'evt_1',
  object: 'event',
  type: 'customer.subscription.updated',
  created: seconds - 60,
  data: { object: { id: 'sub_1', object: 'subscription', customer: 'cus_1', metadata: { accountId: 'account-1' } } },
};
const body = JSON.stringify(event);

const sign = (payload: string, { key = secret, timestamp = seconds } = {}): string =>
  Stripe.webhooks.generateTestHeaderString({ payload, secret: key, timestamp });

const read = (payload: string | Buffer, signature: string | undefined, secrets: readonly string[] = [secret]) =>
  readStripeEvent({ bytes: Buffer.from(payload), signature }, { secrets, now: () => at });

test('a signed event is read: what it is about, whose it is and when it was made', (t) => {
  t.deepEqual(read(body, sign(body)), {
    id: 'evt_1',
    type: 'customer.subscription.updated',
    createdAt: new Date(at.getTime() - 60_000),
    customerId: 'cus_1',
    accountId: 'account-1',
  });
});

test('a checkout, and an invoice of either form, say whose they are', (t) => {
  const subscription = { metadata: { accountId: 'account-1' } };
  for (const object of [
    { object: 'checkout.session', customer: { id: 'cus_1' }, client_reference_id: 'account-1', metadata: {} },
    { object: 'invoice', customer: 'cus_1', parent: { subscription_details: subscription } },
    { object: 'invoice', customer: 'cus_1', subscription_details: subscription },
  ]) {
    const text = JSON.stringify({ ...event, data: { object } });
    t.like(read(text, sign(text)), { customerId: 'cus_1', accountId: 'account-1' });
  }
});

test('with two secrets in force either may have signed', (t) => {
  t.is(read(body, sign(body, { key: older }), [secret, older]).id, 'evt_1');
  t.is(read(body, sign(body), [secret, older]).id, 'evt_1');
});

test('of two signatures one that fits is enough', (t) => {
  const wrong = sign(body, { key: older }).replace(/^t=\d+,/, '');
  t.is(read(body, `${sign(body)},${wrong}`).id, 'evt_1');
  t.is(read(body, sign(body).replace(',', `,${wrong},`)).id, 'evt_1');
});

const timeless = JSON.stringify({ ...event, created: 1e300 });
for (const [what, payload, signature] of [
  ['no signature', body, undefined],
  ['an empty signature', body, ''],
  ['a signature with another secret', body, sign(body, { key: older })],
  ['a changed body', body.replace('cus_1', 'cus_2'), sign(body)],
  ['the same JSON in other bytes', JSON.stringify(event, null, 1), sign(body)],
  ['a signature that is older than five minutes', body, sign(body, { timestamp: seconds - 301 })],
  [
    'a time that was changed to a newer one',
    body,
    sign(body, { timestamp: seconds - 301 }).replace(/t=\d+/, `t=${seconds}`),
  ],
  ['a signature under another scheme', body, sign(body).replace('v1=', 'v0=')],
  ['a signature without a time', body, sign(body).replace(/t=\d+,/, '')],
  ['a signed text that is no JSON', 'hello', sign('hello')],
  ['a signed JSON that is no event', '{"id":1}', sign('{"id":1}')],
  ['a signed null', 'null', sign('null')],
  ['a signed event of a time that no calendar has', timeless, sign(timeless)],
] as const)
  // specification: payment-events-signed-applied
  test(`refused: ${what}`, (t) => {
    const error = t.throws(() => read(payload, signature), { instanceOf: InvalidPaymentEvent });
    t.false(error.message.includes(secret));
  });

test('refused: everything, where there is no secret', (t) => {
  t.throws(() => read(body, sign(body), []), { instanceOf: InvalidPaymentEvent });
});

test('a signature just under five minutes old still counts', (t) => {
  t.is(read(body, sign(body, { timestamp: seconds - 299 })).id, 'evt_1');
});
