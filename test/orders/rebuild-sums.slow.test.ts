import { randomUUID } from 'node:crypto';
import test from 'ava';
import { storeOrder } from '../support/stored-orders.ts';
import { describeAnalytics } from '../../features/partner/rules/analytics.ts';
import { accountId, itemId, orderId, type AccountId } from '../../features/rules/ids.ts';
import { serviceStatuses } from '../../features/items/rules/transitions.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { countUncounted, readItemCounts } from '../../features/items/store/inventory-counts.ts';
import { createItemStore } from '../../features/items/store/items.ts';
import { readOrderSums } from '../../features/orders/store/order-sums.ts';
import { noSteps } from '../../features/orders/store/orders.ts';
import { rebuildItemCounts, rebuildOrderSums } from '../../features/orders/store/rebuild-sums.ts';
import { anItem, later, noon } from '../support/an-item.ts';
import { expectedAnalytics } from '../support/expected-analytics.ts';
import { closeTestStore, openTestStore } from '../support/open-test-store.ts';

let store: StoreConnection;
test.before(async () => {
  store = await openTestStore();
});
test.after.always(async () => {
  await closeTestStore(store);
});

interface AnyRow {
  readonly _id: string;
  readonly accountId: string;
  readonly active: number;
  readonly sold: number;
  readonly grossOre: number;
  readonly serviceStatus: string;
  readonly inventoryClass: string;
  readonly countedAs: string;
  readonly isUncounted: boolean;
  readonly removedAt: Date | null;
}

const rows = (name: string) => store.connection.collection<AnyRow>(name);

async function anAccountWithSales(): Promise<AccountId> {
  const account = accountId(randomUUID());
  const items = createItemStore(store);
  for (const [n, serviceStatus] of [...serviceStatuses, ...serviceStatuses].entries()) {
    const ids = { id: itemId(randomUUID()), accountId: account, externalId: `A${n}` };
    await items.insert(anItem({ ...ids, serviceStatus, removedAt: n === 1 ? noon : null }));
    const at = later(-n * 20 * 86_400_000);
    await storeOrder(store, {
      ...{ _id: orderId(randomUUID()), accountId: account, itemId: ids.id, externalId: `A${n}`, platform: 'service' },
      ...{ amountOre: 10_001 + n, feeBps: 500, feeOre: 500 + n, domain: 'other', category: `c.${n % 3}` },
      ...{
        dealId: null,
        commission: null,
        adId: null,
        state: n % 4 === 0 ? 'pending' : 'completed',
        paidAt: null,
        cancelledAt: null,
      },
      ...{ completedAt: n % 4 === 0 ? null : at, soldAt: at, createdAt: at, updatedAt: at },
      ...{ ...noSteps, changedAt: at },
    });
  }
  return account;
}

async function shown(account: AccountId): Promise<object> {
  return describeAnalytics(await readItemCounts(store, account), await readOrderSums(store, account), noon);
}

const rebuild = (account: AccountId, options = { dryRun: false }) =>
  Promise.all([rebuildItemCounts(store, account, options), rebuildOrderSums(store, account, options)]);

test.serial('rebuilding what is right changes nothing that is shown', async (t) => {
  const account = await anAccountWithSales();
  const before = await shown(account);
  t.deepEqual(before, await expectedAnalytics(store, account, noon));
  t.deepEqual(await rebuild(account), [0, 0]);
  t.deepEqual(await shown(account), before);
});

test.serial('a repair finds what was written since it was stored without its counting', async (t) => {
  const account = await anAccountWithSales();
  await rows('items').updateMany({ accountId: account }, { $unset: { countedAs: '' } });
  t.true((await rebuild(account))[0] > 0);
  t.is(await rows('items').countDocuments({ accountId: account, countedAs: { $exists: false } }), 0);
  t.deepEqual(await shown(account), await expectedAnalytics(store, account, noon));
});

test.serial('an account that can’t be counted is told of, and keeps no other one waiting', async (t) => {
  const [first, second] = [await anAccountWithSales(), await anAccountWithSales()].toSorted();
  if (first === undefined || second === undefined) throw new Error('no accounts');
  await store.connection.db?.command({ collMod: 'inventory_counts', validator: { _id: { $ne: first } } });
  const failed: AccountId[] = [];
  await countUncounted(store, { onFailure: (account) => failed.push(account) });
  t.deepEqual(failed, [first]);
  t.is(await rows('items').countDocuments({ accountId: second, isUncounted: true }), 0);
  await store.connection.db?.command({ collMod: 'inventory_counts', validator: {} });
  await countUncounted(store);
  t.deepEqual(await shown(first), await expectedAnalytics(store, first, noon));
});

test.serial('a tally or a mark that is wrong for whatever reason is put right by a rebuild', async (t) => {
  const account = await anAccountWithSales();
  await countUncounted(store);
  await rows('inventory_counts').updateMany({ _id: account }, { $inc: { active: 7, sold: -2 } });
  await rows('items').updateMany({ accountId: account, serviceStatus: 'sold' }, { $set: { inventoryClass: 'draft' } });
  await rows('order_sums').updateMany({ accountId: account }, { $inc: { grossOre: 1 } });
  t.notDeepEqual(await shown(account), await expectedAnalytics(store, account, noon));
  const wrong = await rebuild(account, { dryRun: true });
  t.true(wrong.every((count) => count > 0));
  t.deepEqual(await rebuild(account), wrong);
  t.deepEqual(await rebuild(account), [0, 0]);
  t.deepEqual(await shown(account), await expectedAnalytics(store, account, noon));
});

test.serial(
  'an item whose document went by itself, long after its removal was counted, leaves the counts as they are',
  async (t) => {
    const account = await anAccountWithSales();
    await countUncounted(store);
    await rows('items').deleteMany({ accountId: account, removedAt: { $ne: null } });
    t.deepEqual(await shown(account), await expectedAnalytics(store, account, noon));
  },
);
