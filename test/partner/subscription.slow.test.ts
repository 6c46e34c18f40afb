import test from 'ava';
import { Refusal } from '../../features/rules/errors.ts';
import { PaymentsUnavailable } from '../../gateways/payments/port.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { aGate } from '../support/a-gate.ts';
import { startSubscriptionWorld } from '../support/subscription-world.ts';
import { withDatabase } from '../support/with-database.ts';
import { present } from '../support/clock.ts';

let store: StoreConnection;
withDatabase(test, (opened) => (store = opened));

const day = 86_400_000;
const updated = 'customer.subscription.updated';
const free = { tier: 'free', isPro: false, subscribedAt: null, expiresAt: null };
const outOfReach = () => Promise.reject(new PaymentsUnavailable('unreachable', 'out of reach'));
const unavailable = (error: unknown): boolean => error instanceof Refusal && error.code === 'UNAVAILABLE';

test('a paid checkout is Pro from its event on, until the end of the paid period', async (t) => {
  const { subscribe, take, event, read, id, pass, clock, audit } = await startSubscriptionWorld(store);
  const start = new Date(clock.ms).toISOString();
  const end = new Date(clock.ms + 30 * day).toISOString();
  await subscribe();
  t.deepEqual(await read(), free as never, 'nobody has told yet');
  const customerId = 'cus_from_the_event';
  t.is(await take(event('checkout.session.completed', { accountId: id, customerId })), 'applied');
  t.deepEqual(await read(), { tier: 'pro', isPro: true, subscribedAt: start, expiresAt: end } as never);
  pass(30 * day);
  t.deepEqual(await read(), { tier: 'pro', isPro: false, subscribedAt: start, expiresAt: end } as never);
  t.deepEqual(await audit('checkout_started'), ['A checkout of the Pro plan was started']);
  t.deepEqual(await audit('subscription_changed'), ['The Pro plan has begun, paid until 2126-03-31']);
});

// specification: payment-events-signed-applied
test('what was read earlier never replaces what was read later, whoever stores it first', async (t) => {
  const { subscribe, take, event, read, customerId, payments } = await startSubscriptionWorld(store);
  const sub = await subscribe();
  const about = { customerId: await customerId() };
  const [hasRead, mayStore] = [aGate(), aGate()];
  payments.after = async () => {
    payments.after = async () => undefined;
    hasRead.open();
    await mayStore.opened;
  };
  const slow = take(event('customer.subscription.created', about));
  await hasRead.opened;
  payments.end(sub);
  await take(event('customer.subscription.deleted', about));
  t.deepEqual(await read(), free as never);
  mayStore.open();
  t.is(await slow, 'applied');
  t.deepEqual(await read(), free as never, 'it was read again');
});

// specification: payment-events-signed-applied
test('a crash between reading and storing leaves nothing behind, and the event is applied when it is sent again', async (t) => {
  const { subscribe, take, event, read, customerId, applied } = await startSubscriptionWorld(store);
  await subscribe();
  const sent = event(updated, { customerId: await customerId() });
  const crash = (): Date => {
    throw new Error('the process dies here');
  };
  await t.throwsAsync(take(sent, { now: crash }), { message: 'the process dies here' });
  t.deepEqual(await read(), free as never);
  t.deepEqual(await applied(), []);
  t.is(await take(sent), 'applied');
  t.true((await read()).isPro);
});

test('an event of nobody we know is taken, logged and forgotten', async (t) => {
  const { take, event, lines, applied } = await startSubscriptionWorld(store);
  t.is(await take(event(updated, { customerId: 'cus_of_another_shop' })), 'ignored');
  t.is(await take(event(updated, { customerId: 'cus_x', accountId: 'no-such-account' })), 'ignored');
  t.is(lines.filter(({ msg }) => msg === 'payment_event.of_nobody').length, 2);
  t.deepEqual(await applied(), []);
});

for (const type of ['charge.refunded', 'charge.dispute.created', 'checkout.session.expired', 'customer.created', 'x'])
  test(`an event of the type ${type} changes nothing`, async (t) => {
    const { take, event, customerId, subscribe, applied, read } = await startSubscriptionWorld(store);
    await subscribe();
    t.is(await take(event(type, { customerId: await customerId() })), 'ignored');
    t.deepEqual(await applied(), []);
    t.deepEqual(await read(), free as never);
  });

test('a subscription made by hand at the processor counts for the account that its metadata name', async (t) => {
  const { take, event, payments, id, read } = await startSubscriptionWorld(store);
  payments.subscribe(id, 'cus_by_hand_1');
  await take(event('customer.subscription.created', { customerId: 'cus_by_hand_1', accountId: id }));
  t.true((await read()).isPro);
  const other = await startSubscriptionWorld(store);
  const stolen = event('checkout.session.completed', { customerId: 'cus_by_hand_1', accountId: other.id });
  await other.take(stolen);
  t.deepEqual(await other.read(), free as never, 'a customer belongs to one account');
});

test('when the processor knows none of the customers, what was bought stays until its end', async (t) => {
  const { take, event, payments, subscribe, customerId, read, pass, lines } = await startSubscriptionWorld(store);
  await subscribe();
  const about = { customerId: await customerId() };
  await take(event(updated, about));
  payments.customers.clear();
  await take(event(updated, about));
  t.true((await read()).isPro);
  t.true(lines.some(({ msg }) => msg === 'subscription.customer_unknown'));
  pass(31 * day);
  t.false((await read()).isPro);
});

test('an account whose customer has vanished is free after the end of what was paid, and can buy again', async (t) => {
  const { checkout, take, event, payments, subscribe, customerId, read, pass, audit } =
    await startSubscriptionWorld(store);
  await subscribe();
  const about = { customerId: await customerId() };
  await take(event(updated, about));
  payments.customers.clear();
  payments.subscriptions.clear();
  payments.sessions.clear();
  await t.throwsAsync(checkout(), { instanceOf: Refusal, message: /has the Pro plan/ }, 'it is still paid for');
  pass(31 * day);
  const { url } = await checkout();
  t.deepEqual(await read(), free as never);
  t.is((await audit('subscription_changed')).at(-1), 'The Pro plan has ended');
  t.not(await customerId(), about.customerId);
  payments.pay(url.replace('https://pay.test/', ''));
  t.is(await take(event('checkout.session.completed', { customerId: await customerId() })), 'applied');
  t.true((await read()).isPro);
});

test('an account whose subscription is not paid but has not ended is refused with 409, so it can’t pay twice', async (t) => {
  const { checkout, subscribe, payments, read, take, event, customerId } = await startSubscriptionWorld(store);
  const sub = await subscribe();
  payments.change(sub, { status: 'other' });
  await t.throwsAsync(checkout(), { instanceOf: Refusal, code: 'CONFLICT', message: /not paid but has not ended/ });
  t.deepEqual(await read(), free as never);
  t.is(payments.sessions.size, 1);
  payments.goOn(sub, 'active');
  await take(event('invoice.paid', { customerId: await customerId() }));
  t.true((await read()).isPro, 'the old invoice is paid after all');
  payments.change(sub, { status: 'other' });
  payments.end(sub);
  t.truthy((await checkout()).url);
});

test('an event whose metadata name another account than its customer’s counts for the customer’s, with a warning', async (t) => {
  const { id, subscribe, take, event, customerId, read, lines } = await startSubscriptionWorld(store);
  const other = await startSubscriptionWorld(store);
  await subscribe();
  const known = await customerId();
  await take(event(updated, { customerId: known, accountId: id }));
  const warnings = () => lines.filter(({ msg }) => msg === 'payment_event.names_another_account');
  t.is(warnings().length, 0);
  await take(event(updated, { customerId: known, accountId: other.id }));
  t.true((await read()).isPro);
  t.deepEqual(await other.read(), free as never);
  t.like(warnings()[0], { accountId: id, namedAccountId: other.id, customerId: known });
});

test('checkouts side by side make one customer and one page', async (t) => {
  const { checkout, payments, audit } = await startSubscriptionWorld(store);
  const pages = await Promise.all([checkout(), checkout(), checkout(), checkout()]);
  t.is(new Set(pages.map(({ url }) => url)).size, 1);
  t.is(payments.customers.size, 1);
  t.is(payments.sessions.size, 1);
  t.is((await audit('checkout_started')).length, 1);
});

test('a page that is open is given again, one that has closed is followed by a new one', async (t) => {
  const { checkout, payments, pass } = await startSubscriptionWorld(store);
  const first = await checkout();
  pass(23 * 3_600_000);
  t.deepEqual(await checkout(), first);
  pass(2 * 3_600_000);
  const second = await checkout();
  t.not(second.url, first.url);
  t.is(payments.customers.size, 1);
  const session = [...payments.sessions.values()].at(-1);
  t.is(session?.successUrl, 'https://shop.test/dashboard?upgraded=true');
  t.is(session?.cancelUrl, 'https://shop.test/dashboard');
});

test('an account that has the plan is refused with 409, also before any event has come, and may buy again after the end', async (t) => {
  const { checkout, subscribe, payments, read } = await startSubscriptionWorld(store);
  const sub = await subscribe();
  await t.throwsAsync(checkout(), { instanceOf: Refusal, message: /has the Pro plan/ });
  t.true((await read()).isPro);
  payments.goOn(sub, 'past_due');
  await t.throwsAsync(checkout(), { instanceOf: Refusal, message: /has the Pro plan/ });
  payments.end(sub);
  t.truthy((await checkout()).url);
  t.is(payments.sessions.size, 2);
});

test('a page whose answer was lost is found again and not made twice', async (t) => {
  const { checkout, payments } = await startSubscriptionWorld(store);
  payments.after = async (call) => {
    if (call === 'createCheckout') await outOfReach();
  };
  await t.throwsAsync(checkout(), { instanceOf: Refusal });
  payments.after = async () => undefined;
  await checkout();
  t.is(payments.sessions.size, 1);
  t.is(payments.customers.size, 1);
});

test('after an error of the processor’s own the next try has another key, because the processor repeats the error under the old one', async (t) => {
  const { checkout, payments } = await startSubscriptionWorld(store);
  const keys: string[] = [];
  const create = payments.createCheckout.bind(payments);
  payments.createCheckout = async (wish, key) => {
    keys.push(key);
    if (keys.length === 1) throw new PaymentsUnavailable('overloaded', 'HTTP 500');
    return create(wish, key);
  };
  t.true(unavailable(await t.throwsAsync(checkout())));
  t.truthy((await checkout()).url);
  t.is(new Set(keys).size, 2);
});

test('a customer that was deleted at the processor is replaced', async (t) => {
  const { checkout, payments, pass } = await startSubscriptionWorld(store);
  await checkout();
  payments.customers.clear();
  pass(2 * day);
  t.truthy((await checkout()).url);
  t.is(payments.customers.size, 1);
});

test('an account that pays twice is Pro once, and whoever runs the service is warned', async (t) => {
  const { subscribe, payments, id, take, event, customerId, lines, read } = await startSubscriptionWorld(store);
  await subscribe();
  const customer = await customerId();
  payments.subscribe(id, customer);
  await take(event(updated, { customerId: customer }));
  t.true((await read()).isPro);
  t.true(lines.some(({ msg }) => msg === 'subscription.several_running'));
});

test('no query of subscriptions and payment events scans a collection', async (t) => {
  const { subscribe, customerId } = await startSubscriptionWorld(store);
  await subscribe();
  const rows = store.connection.collection('subscriptions');
  for (const filter of [{ customerIds: await customerId() }, { checkAt: { $lte: present() } }]) {
    const plan = JSON.stringify(await rows.find(filter).explain('queryPlanner'));
    t.regex(plan, /IXSCAN/);
    t.notRegex(plan, /COLLSCAN/);
  }
});
