import test from 'ava';
import Stripe from 'stripe';
import { createStripePayments } from '../../gateways/payments/stripe-payments.ts';
import { startPaymentsSimulator } from '../../simulators/payments/start-payments-simulator.ts';
import type { RunningSimulator } from '../../simulators/kit/start-simulator.ts';
import { isError, startApiWorld, withApiWorld, type ApiWorld, type TestAccount } from '../support/api-world.ts';
import { until } from '../support/until.ts';
import { present } from '../support/clock.ts';

const [secret, secretKey] = ['whsec_of_the_test', 'sk_test_of_the_test'];
const free = { tier: 'free', isPro: false, subscribedAt: null, expiresAt: null };
const hour = 3_600_000;

let simulator: RunningSimulator;
let world: ApiWorld;
const absent = withApiWorld(test);

test.before(async () => {
  simulator = await startPaymentsSimulator({ secretKey });
  world = await startApiWorld({
    publicUrl: 'https://shop.test',
    payments: (now) =>
      createStripePayments({
        url: simulator.url,
        secretKey,
        timeoutMs: 2_000,
        priceId: '',
        now,
        webhookSecrets: ['whsec_new', secret],
      }),
  });
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ url: `${world.url}/stripe/webhook`, secret });
  await fetch(`${simulator.adminUrl}/webhook`, { method: 'PUT', headers, body });
});
test.after.always(async () => {
  await simulator.close();
  await world.close();
});

const admin = async (path: string): Promise<Record<string, unknown>> =>
  (await (await fetch(simulator.adminUrl + path, { method: 'POST' })).json()) as Record<string, unknown>;
const read = async ({ token }: TestAccount) => (await world.call('GET', '/partner/subscription', { token })).body;
const checkout = ({ token }: TestAccount, headers = {}) =>
  world.call('POST', '/partner/subscription/checkout', { token, headers });
const sessionIn = (url: string): string => url.split('/').at(-1) ?? '';
const untilPro = (account: TestAccount, isPro = true) =>
  until(`isPro is ${String(isPro)}`, async () => (await read(account)).isPro === isPro, 20_000);

/** Pays; gives the id of the subscription. */
async function subscribe(account: TestAccount): Promise<string> {
  const { body } = await checkout(account);
  await admin(`/sessions/${sessionIn(body.url)}/complete`);
  await untilPro(account);
  const { subscriptions } = (await (await fetch(`${simulator.adminUrl}/subscriptions`)).json()) as {
    subscriptions: { id: string; metadata: { accountId: string } }[];
  };
  return subscriptions.find(({ metadata }) => metadata.accountId === account.id)?.id ?? '';
}

// specification: free-tier-ispro-false
test('GET 200: an account that never subscribed is free, with both times null', async (t) => {
  t.deepEqual(await read(await world.account()), free);
});

// specification: subscribedat-expiresat-iso-8601, checkout-200-with-the
test('POST checkout 200: a page for the Pro plan; paying on it leads to the dashboard with upgraded=true, and its event makes the account Pro', async (t) => {
  const account = await world.account();
  const reply = await checkout(account);
  t.is(reply.status, 200, reply.text);
  t.deepEqual(Object.keys(reply.body), ['url']);
  const page = await fetch(reply.body.url);
  t.regex(await page.text(), /199\.00 SEK/);
  t.deepEqual(await read(account), free, 'a page that was shown is not paid');
  const paid = await fetch(`${reply.body.url}/complete`, { method: 'POST', redirect: 'manual' });
  t.is(paid.headers.get('location'), 'https://shop.test/dashboard?upgraded=true');
  await untilPro(account);
  const subscription = await read(account);
  t.is(subscription.tier, 'pro');
  t.true(Math.abs(Date.parse(subscription.subscribedAt) - present().getTime()) < 60_000);
  const days = (Date.parse(subscription.expiresAt) - Date.parse(subscription.subscribedAt)) / 86_400_000;
  t.true(days >= 28 && days <= 31);
});

// specification: checkout-200-with-the
test('turning away leads to the dashboard without upgraded, and leaves the account free', async (t) => {
  const account = await world.account();
  const { body } = await checkout(account);
  const answer = await fetch(`${body.url}/cancel`, { method: 'POST', redirect: 'manual' });
  t.is(answer.headers.get('location'), 'https://shop.test/dashboard');
  t.deepEqual(await read(account), free);
  t.not((await checkout(account)).body.url, body.url, 'the next checkout has a page of its own');
});

// specification: ispro-only-when-the
test('isPro becomes false after expiresAt by the service’s clock alone', async (t) => {
  const own = await startApiWorld({
    payments: (now) =>
      createStripePayments({
        url: simulator.url,
        secretKey,
        timeoutMs: 2_000,
        priceId: '',
        now,
        webhookSecrets: [secret],
      }),
  });
  t.teardown(() => own.close());
  const account = await own.account();
  const { token } = account;
  const { body } = await own.call('POST', '/partner/subscription/checkout', { token });
  const session = await admin(`/sessions/${sessionIn(body.url)}/complete`);
  const text = JSON.stringify({
    id: 'evt_by_hand',
    object: 'event',
    type: 'checkout.session.completed',
    created: 1,
    data: { object: session },
  });
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: text, secret });
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
  for (let times = 0; times < 2; times += 1)
    t.deepEqual((await own.call('POST', '/stripe/webhook', { raw: text, headers })).body, { received: true });
  t.is(await own.store.connection.collection('payment_events').countDocuments(), 1);
  const before = (await own.call('GET', '/partner/subscription', { token })).body;
  t.true(before.isPro);
  own.pass(Date.parse(before.expiresAt) - present().getTime() + hour);
  const { body: fresh } = await own.call('POST', '/auth/login', { body: account });
  const after = (await own.call('GET', '/partner/subscription', { token: fresh.accessToken })).body;
  t.deepEqual(after, { ...before, isPro: false });
});

// specification: subscribedat-expiresat-iso-8601
test('renewal, failed payment, cancellation and end are followed', async (t) => {
  const account = await world.account();
  const id = await subscribe(account);
  const { expiresAt: first } = await read(account);
  await admin(`/subscriptions/${id}/renew`);
  await until('renewed', async () => (await read(account)).expiresAt > first);
  const { expiresAt: second } = await read(account);
  await admin(`/subscriptions/${id}/fail-payment`);
  await admin(`/subscriptions/${id}/cancel-at-period-end`);
  t.like(await read(account), { tier: 'pro', isPro: true, expiresAt: second });
  await admin(`/subscriptions/${id}/end`);
  await untilPro(account, false);
  t.deepEqual(await read(account), free);
});

test('POST checkout 409: the account has the plan', async (t) => {
  const account = await world.account();
  await subscribe(account);
  isError(t, await checkout(account), { status: 409, code: 'CONFLICT' });
});

for (const [method, path] of [
  ['GET', '/partner/subscription'],
  ['POST', '/partner/subscription/checkout'],
] as const)
  test(`${method} ${path} 400: an unknown query parameter`, async (t) => {
    const reply = await world.call(method, `${path}?plan=pro`, { token: (await world.account()).token });
    isError(t, reply, { status: 400, code: 'BAD_REQUEST' });
    t.is(reply.body.details[0].field, 'plan');
  });

test('POST checkout 200: the same page again while it is open, with and without Idempotency-Key', async (t) => {
  const account = await world.account();
  const replies = await Promise.all([checkout(account), checkout(account)]);
  const [url] = replies.map(({ body }) => body.url);
  t.is(replies[1]?.body.url, url);
  const key = { 'idempotency-key': 'k1' };
  t.is((await checkout(account, key)).body.url, url);
  const again = await checkout(account, key);
  t.is(again.body.url, url);
  t.is(again.headers.get('idempotency-replayed'), 'true');
});

// The two with faults run alone: a fault is for whoever calls next.
test.serial(
  'POST checkout 503 with Retry-After: the processor is out of reach; neither answer nor log shows the key',
  async (t) => {
    const account = await world.account();
    const headers = { 'content-type': 'application/json' };
    const fault = { mode: 'status', status: 500, path: '^/v1/customers$', times: 2 };
    await fetch(`${simulator.adminUrl}/faults`, { method: 'POST', headers, body: JSON.stringify(fault) });
    const reply = await checkout(account);
    isError(t, reply, { status: 503, code: 'UNAVAILABLE' });
    t.truthy(reply.headers.get('retry-after'));
    t.is((await checkout(account)).status, 200);
    const seen = reply.text + JSON.stringify(world.logLines);
    t.false(seen.includes(secretKey) || seen.includes(secret));
  },
);

test('POST checkout 503: no processor is configured', async (t) => {
  const { token } = await absent().account();
  const reply = await absent().call('POST', '/partner/subscription/checkout', { token });
  isError(t, reply, { status: 503, code: 'UNAVAILABLE' });
  t.deepEqual((await absent().call('GET', '/partner/subscription', { token })).body, free);
});

const event = JSON.stringify({
  id: 'evt_x',
  object: 'event',
  type: 'charge.refunded',
  created: 1,
  data: { object: {} },
});
const json = { 'content-type': 'application/json' };
const sign = (payload: string, key = secret): string =>
  Stripe.webhooks.generateTestHeaderString({ payload, secret: key });
const post = (raw: string, headers: Record<string, string>) =>
  world.call('POST', '/stripe/webhook', { raw, headers: { ...json, ...headers } });

test('POST webhook 200: an event that is not about subscriptions, signed with either secret', async (t) => {
  for (const key of [secret, 'whsec_new'])
    t.is((await post(event, { 'stripe-signature': sign(event, key) })).status, 200);
});

test('POST webhook 400: changed by one space, and signed but no event', async (t) => {
  for (const [raw, signature] of [
    [`${event} `, sign(event)],
    ['{}', sign('{}')],
  ] as const)
    isError(t, await post(raw, { 'stripe-signature': signature }), { status: 400, code: 'BAD_REQUEST' });
});

test('POST webhook 413 and 415: too large, and not JSON', async (t) => {
  isError(t, await post(JSON.stringify('x'.repeat(1_100_000)), {}), { status: 413, code: 'PAYLOAD_TOO_LARGE' });
  const xml = await world.call('POST', '/stripe/webhook', { raw: '<a/>', headers: { 'content-type': 'text/xml' } });
  isError(t, xml, { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
});

test.serial(
  'POST webhook 503 while the processor can not be read: it sends the event again, and nothing is lost',
  async (t) => {
    const account = await world.account();
    const { body } = await checkout(account);
    const fault = { mode: 'drop-before', path: '^/v1/subscriptions', times: 6 };
    await fetch(`${simulator.adminUrl}/faults`, { method: 'POST', headers: json, body: JSON.stringify(fault) });
    await admin(`/sessions/${sessionIn(body.url)}/complete`);
    await untilPro(account);
    t.true(world.logLines.some(({ msg }) => msg === 'payments.unavailable'));
  },
);
