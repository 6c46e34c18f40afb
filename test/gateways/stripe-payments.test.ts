import { createServer } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import { Agent, setGlobalDispatcher } from 'undici';
import { accountId } from '../../features/rules/ids.ts';
import { PaymentsUnavailable, UnknownCustomer, type PaymentsProblem } from '../../gateways/payments/port.ts';
import { createStripePayments } from '../../gateways/payments/stripe-payments.ts';
import { startPaymentsSimulator } from '../../simulators/payments/start-payments-simulator.ts';
import { present } from '../support/clock.ts';
import { listening } from '../support/listening.ts';

// As in the API and the worker, where undici is loaded and stands behind fetch.
setGlobalDispatcher(new Agent());

const secretKey = 'sk_test_of_this_test';
const account = accountId('3f0c3a52-54f0-4b1c-9a53-0c7f1b7b9d11');
const person = { accountId: account, email: 'a@example.se', name: 'Åsa' };
const pages = { successUrl: 'https://shop.test/dashboard?upgraded=true', cancelUrl: 'https://shop.test/dashboard' };

const paymentsAt = (url: string, { timeoutMs = 5_000, key = secretKey } = {}) =>
  createStripePayments({ url, secretKey: key, timeoutMs, webhookSecrets: ['whsec_1'], priceId: '', now: present });

async function setUp(t: ExecutionContext, options: { timeoutMs?: number; key?: string } = {}) {
  const simulator = await startPaymentsSimulator({ secretKey });
  t.teardown(() => simulator.close());
  const admin = async (method: string, path: string, body?: object): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const answer = await fetch(simulator.adminUrl + path, init);
    t.true(answer.ok);
    return answer.json();
  };
  return { payments: paymentsAt(simulator.url, options), admin, url: simulator.url };
}

async function isUnavailable(t: ExecutionContext, asking: Promise<unknown>, problem: PaymentsProblem): Promise<void> {
  const error = await t.throwsAsync(asking, { instanceOf: PaymentsUnavailable });
  t.is(error.problem, problem, error.message);
  t.is(error.cause, undefined);
  t.false(JSON.stringify([error.message, error]).includes(secretKey.slice(0, 8)));
}

// specification: pro-199-sek-per
test('a checkout is of 199 SEK a month and names the account on session and subscription', async (t) => {
  const { payments, admin } = await setUp(t);
  const customerId = await payments.createCustomer(person, 'c1');
  const checkout = await payments.createCheckout({ accountId: account, customerId, ...pages }, 's1');
  t.like(checkout, { state: 'open' });
  t.true(checkout.expiresAt > present());
  const { sessions } = (await admin('GET', '/sessions')) as { sessions: object[] };
  t.like(sessions[0], {
    client_reference_id: account,
    metadata: { accountId: account },
    customer: customerId,
    amount_total: 19_900,
    currency: 'sek',
    success_url: pages.successUrl,
    cancel_url: pages.cancelUrl,
  });
  await admin('POST', `/sessions/${checkout.id}/complete`);
  t.like(await payments.readCheckout(checkout.id), { state: 'complete', url: null });
  const held = await payments.listRunning(customerId);
  t.is(held?.length, 1);
  t.like(held?.[0], { accountId: account, status: 'active', endsAt: null });
  t.true((held?.[0]?.periodEnd ?? 0) > (held?.[0]?.periodStart ?? 0));
});

test('calls under the same key make one customer and one checkout', async (t) => {
  const { payments, admin } = await setUp(t);
  const ids = await Promise.all([payments.createCustomer(person, 'c1'), payments.createCustomer(person, 'c1')]);
  t.is(ids[0], ids[1]);
  const wish = { accountId: account, customerId: ids[0] ?? '', ...pages };
  const checkouts = await Promise.all([payments.createCheckout(wish, 's1'), payments.createCheckout(wish, 's1')]);
  t.is(checkouts[0]?.id, checkouts[1]?.id);
  t.is(((await admin('GET', '/sessions')) as { sessions: object[] }).sessions.length, 1);
});

test('an answer that is lost is asked for again, and the work is done once', async (t) => {
  const { payments, admin } = await setUp(t);
  const customerId = await payments.createCustomer(person, 'c1');
  await admin('POST', '/faults', { mode: 'drop-after', path: '^/v1/checkout/sessions$', times: 1 });
  await payments.createCheckout({ accountId: account, customerId, ...pages }, 's1');
  t.is(((await admin('GET', '/sessions')) as { sessions: object[] }).sessions.length, 1);
});

test('what has ended is not among the running, what ends later says when', async (t) => {
  const { payments, admin } = await setUp(t);
  const customerId = await payments.createCustomer(person, 'c1');
  const { id } = await payments.createCheckout({ accountId: account, customerId, ...pages }, 's1');
  await admin('POST', `/sessions/${id}/complete`);
  const [held] = (await payments.listRunning(customerId)) ?? [];
  const path = `/subscriptions/${held?.id ?? ''}`;
  await admin('POST', `${path}/cancel-at-period-end`);
  t.deepEqual((await payments.listRunning(customerId))?.[0]?.endsAt, held?.periodEnd);
  await admin('POST', `${path}/fail-payment`);
  t.like((await payments.listRunning(customerId))?.[0], { status: 'past_due', periodStart: held?.periodEnd });
  await admin('POST', `${path}/end`);
  t.deepEqual(await payments.listRunning(customerId), []);
});

test('what the processor does not know is told apart from what it can not answer', async (t) => {
  const { payments } = await setUp(t);
  t.is(await payments.listRunning('cus_gone'), null);
  t.is(await payments.readCheckout('cs_gone'), null);
  const wish = { accountId: account, customerId: 'cus_gone', ...pages };
  await t.throwsAsync(payments.createCheckout(wish, 's1'), { instanceOf: UnknownCustomer });
});

test('an error of the processor is a problem of a kind, and shows neither key nor answer', async (t) => {
  const { url } = await setUp(t);
  const has = async (problem: PaymentsProblem, fault: object, options: { timeoutMs?: number } = {}): Promise<void> => {
    const { payments, admin } = await setUp(t, options);
    await admin('POST', '/faults', fault);
    await isUnavailable(t, payments.listRunning('cus_1'), problem);
  };
  // Side by side, because the SDK waits for half a second before it repeats a call.
  await Promise.all([
    isUnavailable(t, paymentsAt(url, { key: 'sk_test_another' }).listRunning('cus_1'), 'refused'),
    has('overloaded', { mode: 'status', status: 500, times: 2 }),
    has('overloaded', { mode: 'status', status: 429, times: 1 }),
    has('timeout', { mode: 'delay', delayMs: 2_000, times: 2 }, { timeoutMs: 300 }),
    has('unusable_answer', { mode: 'garbage', times: 2 }),
    isUnavailable(t, paymentsAt('http://127.0.0.1:1').listRunning('cus_1'), 'unreachable'),
  ]);
});

/** A server that answers everything alike. */
async function anAnswer(
  t: ExecutionContext,
  { status, headers = {}, body }: { status: number; headers?: Record<string, string>; body: string },
) {
  const server = createServer((_request, response) => {
    response.writeHead(status, headers).end(body);
  });
  return paymentsAt(await listening(t, server));
}

test('a redirect is not followed, because the key would go along', async (t) => {
  const seen: unknown[] = [];
  const trap = createServer((request, response) => {
    seen.push(request.headers.authorization);
    response.end('{}');
  });
  const location = `${await listening(t, trap)}/`;
  const payments = await anAnswer(t, { status: 307, headers: { location }, body: '' });
  await isUnavailable(t, payments.listRunning('cus_1'), 'unreachable');
  t.deepEqual(seen, []);
});

test('all pages of the subscriptions are read, and those that lapsed before their first payment have ended', async (t) => {
  const subscription = (number: number, status: string) => ({
    id: `sub_${number}`,
    status,
    start_date: 1,
    metadata: { accountId: account },
    items: { data: [{ current_period_start: 1, current_period_end: 2 }] },
  });
  const statuses = ['incomplete_expired', 'unpaid', 'paused', 'incomplete', 'active'];
  const all = statuses.map((status, number) => subscription(number, status));
  const server = createServer((request, response) => {
    const after = new URL(request.url ?? '', 'http://x').searchParams.get('starting_after');
    const from = all.findIndex(({ id }) => id === after) + 1;
    const data = all.slice(from, from + 2);
    response.end(JSON.stringify({ object: 'list', data, has_more: from + 2 < all.length }));
  });
  const held = await paymentsAt(await listening(t, server)).listRunning('cus_1');
  t.deepEqual(
    held?.map(({ id, status }) => [id, status]),
    [
      ['sub_1', 'other'],
      ['sub_2', 'other'],
      ['sub_3', 'other'],
      ['sub_4', 'active'],
    ],
  );
});

test('a list of subscriptions without an end is an unusable answer', async (t) => {
  const body = JSON.stringify({ object: 'list', data: [], has_more: true });
  await isUnavailable(t, (await anAnswer(t, { status: 200, body })).listRunning('cus_1'), 'unusable_answer');
});

for (const [what, body] of Object.entries({
  'a subscription without a period': { data: [{ id: 'sub_1', status: 'active', items: { data: [] } }] },
  'a time that is none': {
    data: [{ id: 's', start_date: 'x', items: { data: [{ current_period_start: 1, current_period_end: 2 }] } }],
  },
}))
  test(`${what} is an unusable answer`, async (t) => {
    const payments = await anAnswer(t, { status: 200, body: JSON.stringify(body) });
    await isUnavailable(t, payments.listRunning('cus_1'), 'unusable_answer');
  });

test('an address without TLS that is not on the loopback is refused at the start', (t) => {
  t.throws(() => paymentsAt('http://payments.example'), { message: /HTTPS/ });
});
