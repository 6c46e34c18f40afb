import { randomUUID } from 'node:crypto';
import test from 'ava';
import { accountId, itemId, orderId, type AccountId } from '../../features/rules/ids.ts';
import { totalItems } from '../../features/partner/rules/analytics.ts';
import { readItemCounts, readItemCountsNow } from '../../features/items/store/inventory-counts.ts';
import { rowFromItem } from '../../features/items/store/item-row.ts';
import { itemCollection } from '../../features/items/store/item-collection.ts';
import { sumCompletedByDay } from '../../features/orders/store/order-list.ts';
import { readCommissionSums, readOrderSums } from '../../features/orders/store/order-sums.ts';
import { orderRows } from '../../features/orders/store/orders.ts';
import { profileQueries } from '../support/profile-queries.ts';
import { anItem, later } from '../support/an-item.ts';
import { withDatabase } from '../support/with-database.ts';

const store = withDatabase(test);

const reseller = accountId(randomUUID());
const aMember = (n: number): AccountId => accountId(`member-${String(n).padStart(4, '0')}`);
const members = Array.from({ length: 400 }, (_, n) => aMember(n));
const stranger = accountId(randomUUID());
const [itemsEach, completedEach, pendingEach] = [10, 20, 2];

async function fill(): Promise<void> {
  const row = rowFromItem(anItem());
  const items = [...members, stranger].flatMap((owner) =>
    Array.from({ length: itemsEach }, (_, n) => ({
      ...row,
      _id: itemId(randomUUID()),
      accountId: owner,
      externalId: `A${n}`,
    })),
  );
  await itemCollection(store()).insertMany(items);
  const order = (owner: AccountId, n: number): object => ({
    _id: orderId(randomUUID()),
    accountId: owner,
    amountOre: 100,
    feeOre: 5,
    category: `c${n % 3}`,
    ...(n < completedEach ? { state: 'completed', completedAt: later(n) } : { state: 'pending', completedAt: null }),
    commission: { resellerAccountId: owner === stranger ? stranger : reseller, commissionOre: 1 },
  });
  const orders = [...members, stranger].flatMap((owner) =>
    Array.from({ length: completedEach + pendingEach }, (_, n) => order(owner, n)),
  );
  await orderRows(store()).collection.insertMany(orders);
}

test.before(fill);

/** What a reading costs: keys that it reads, and documents. */
async function costOf(read: () => Promise<unknown>): Promise<{ readonly keys: number; readonly documents: number }> {
  const queries = await profileQueries(store(), read, 'any');
  const sum = (name: 'keysExamined' | 'docsExamined') => queries.reduce((all, query) => all + query[name], 0);
  return { keys: sum('keysExamined'), documents: sum('docsExamined') };
}

test.serial('inventory and revenue of many accounts are read from index keys alone', async (t) => {
  // Behind each range of an account one more key is looked at.
  const atMost = (keys: number): number => keys + members.length * 6;
  const items = await costOf(async () => {
    t.is((await readItemCounts(store(), members)).active, members.length * itemsEach);
  });
  t.is(items.documents, 0);
  t.true(items.keys <= atMost(members.length * itemsEach), String(items.keys));
  const orders = await costOf(async () => {
    const sums = await readOrderSums(store(), members);
    t.is(sums.find(({ month }) => month === null)?.orders, members.length * pendingEach);
    t.is(
      sums.reduce((all, sum) => all + sum.orders, 0),
      members.length * (completedEach + pendingEach),
    );
  });
  t.is(orders.documents, 0);
  t.true(orders.keys <= atMost(members.length * (completedEach + pendingEach)), String(orders.keys));
});

test.serial('removed items cost the count of the others nothing', async (t) => {
  const owner = aMember(0);
  const row = { ...rowFromItem(anItem({ removedAt: later(0) })), accountId: owner, current: false };
  const removed = Array.from({ length: 500 }, (_, n) => ({ ...row, _id: itemId(randomUUID()), externalId: `R${n}` }));
  await itemCollection(store()).insertMany(removed);
  const { keys, documents } = await costOf(async () => {
    t.is(totalItems(await readItemCountsNow(store(), owner)), itemsEach);
  });
  t.is(documents, 0);
  t.true(keys <= itemsEach + 1, String(keys));
});

test.serial('days and commission are read from index keys alone', async (t) => {
  const days = await costOf(async () => {
    const [day] = await sumCompletedByDay(store(), members, { from: later(0), to: later(9) });
    t.is(day?.orders, members.length * 10);
  });
  t.is(days.documents, 0);
  t.true(days.keys <= members.length * 12, String(days.keys));
  const owed = await costOf(async () => {
    const sums = await readCommissionSums(store(), reseller);
    t.is(sums.length, members.length);
    t.true(sums.every(({ orders, owedOre }) => orders === completedEach && owedOre === completedEach));
  });
  t.is(owed.documents, 0);
  t.true(owed.keys <= members.length * completedEach + 1, String(owed.keys));
});
