import anyTest, { type TestFn } from 'ava';
import { PaymentsUnavailable } from '../../gateways/payments/port.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { startSubscriptionWorld } from '../support/subscription-world.ts';
import { closeTestStore, openTestStore } from '../support/open-test-store.ts';

// A database for each test: the reconciliation takes whatever row is due.
const test = anyTest as TestFn<StoreConnection>;
test.beforeEach(async (t) => {
  t.context = await openTestStore();
});
test.afterEach.always(async (t) => {
  await closeTestStore(t.context);
});

const day = 86_400_000;
const free = { tier: 'free', isPro: false, subscribedAt: null, expiresAt: null };
const outOfReach = () => Promise.reject(new PaymentsUnavailable('unreachable', 'out of reach'));

// specification: payment-events-signed-applied
test('a payment whose events are all lost is found by the reconciliation', async (t) => {
  const { subscribe, read, reconcile, pass, payments } = await startSubscriptionWorld(t.context);
  const sub = await subscribe();
  t.false(await reconcile(), 'not yet');
  pass(61_000);
  t.true(await reconcile());
  t.true((await read()).isPro);
  pass(30 * day);
  payments.goOn(sub, 'active');
  t.true(await reconcile());
  t.true((await read()).isPro, 'the renewal too');
  payments.end(sub);
  pass(day);
  t.true(await reconcile());
  t.deepEqual(await read(), free as never, 'and the end');
  pass(400 * day);
  t.false(await reconcile(), 'then there is nothing to look for');
});

test('the reconciliation leaves a row alone for a while when the processor is out of reach, and then goes on', async (t) => {
  const { subscribe, read, reconcile, pass, payments } = await startSubscriptionWorld(t.context);
  await subscribe();
  pass(61_000);
  payments.before = outOfReach;
  t.false(await reconcile());
  payments.before = async () => undefined;
  t.false(await reconcile());
  pass(5 * 60_000);
  t.true(await reconcile());
  t.true((await read()).isPro);
});

test('an old invoice that is paid after all is found by the reconciliation', async (t) => {
  const { subscribe, read, reconcile, pass, payments } = await startSubscriptionWorld(t.context);
  const sub = await subscribe();
  payments.change(sub, { status: 'other' });
  pass(61_000);
  t.true(await reconcile());
  t.deepEqual(await read(), free as never);
  // The page that was paid on is looked at no more.
  for (let days = 0; days < 3; days += 1) {
    pass(day);
    while (await reconcile());
  }
  payments.goOn(sub, 'active');
  pass(day);
  t.true(await reconcile());
  t.true((await read()).isPro);
});

test('what the processor does not know ends when it was paid until, and comes back when it is known again', async (t) => {
  const { subscribe, read, reconcile, pass, payments } = await startSubscriptionWorld(t.context);
  const sub = await subscribe();
  pass(61_000);
  t.true(await reconcile());
  const known = [...payments.customers];
  payments.customers.clear();
  pass(day);
  t.true(await reconcile());
  t.true((await read()).isPro);
  pass(30 * day);
  t.true(await reconcile());
  t.deepEqual(await read(), free as never);
  // The key was that of another account, and is right again.
  for (const customer of known) payments.customers.add(customer);
  payments.goOn(sub, 'active');
  pass(day);
  t.true(await reconcile());
  t.true((await read()).isPro);
});

test('a renewal that is not paid is told once for each period, however often it is read', async (t) => {
  const { id, subscribe, reconcile, pass, payments } = await startSubscriptionWorld(t.context);
  const notices = async () => t.context.connection.collection('mails').countDocuments({ queue: id });
  const sub = await subscribe();
  pass(61_000);
  await reconcile();
  t.is(await notices(), 0);
  pass(30 * day);
  payments.goOn(sub, 'past_due');
  for (let n = 0; n < 3; n += 1) {
    t.true(await reconcile());
    pass(day);
  }
  t.is(await notices(), 1);
  payments.goOn(sub, 'active');
  pass(day);
  await reconcile();
  pass(30 * day);
  payments.goOn(sub, 'past_due');
  await reconcile();
  t.is(await notices(), 2);
});
