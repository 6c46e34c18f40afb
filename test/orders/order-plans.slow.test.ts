import test from 'ava';
import type { ClientSession } from 'mongoose';
import { accountId, itemId, orderId } from '../../features/rules/ids.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import {
  findOrdersOfItems,
  listOrders,
  sumCompletedByDay,
  type OrderFilter,
  type OrderPlace,
} from '../../features/orders/store/order-list.ts';
import { listOpenOrders, noSteps, orderRows, writeOrder, type OrderRow } from '../../features/orders/store/orders.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { closeTestStore, openTestStore } from '../support/open-test-store.ts';
import { profileQueries } from '../support/profile-queries.ts';

let store: StoreConnection;
test.before('3,000 orders of one account, a few of them cancelled, and as many of another', async () => {
  store = await openTestStore();
  const rows = ['mine', 'other'].flatMap((account) => Array.from({ length: 3_000 }, (_, n) => anOrder(account, n)));
  await orderRows(store).insertMany(rows);
});
test.after.always(async () => {
  await closeTestStore(store);
});

const mine = accountId('mine');
const start = Date.parse('2026-01-01T00:00:00Z');

/** The rare ones are the oldest, so that a walk from the newest would read everything to find them. */
function anOrder(account: string, n: number): OrderRow {
  const at = new Date(start + Math.floor(n / 3) * 1_000);
  return {
    _id: orderId(`ord_${account}_${String(n).padStart(5, '0')}`),
    accountId: accountId(account),
    itemId: itemId(`item-${Math.floor(n / 2)}`),
    externalId: `A${Math.floor(n / 2)}`,
    platform: 'service',
    amountOre: 100,
    feeBps: 500,
    feeOre: 5,
    state: n < 20 ? 'cancelled' : n % 2 === 0 ? 'completed' : 'paid',
    domain: 'other',
    category: 'Övrigt',
    dealId: null,
    commission: null,
    adId: null,
    soldAt: at,
    paidAt: null,
    completedAt: at,
    cancelledAt: null,
    createdAt: at,
    updatedAt: at,
    ...noSteps,
    changedAt: at,
  };
}

const filters: readonly OrderFilter[] = [
  {},
  { status: 'cancelled' },
  { status: 'paid' },
  { externalId: 'A7' },
  { externalId: 'A7', status: 'cancelled' },
  { from: new Date(start + 900_000) },
  { status: 'paid', from: new Date(start + 100_000), to: new Date(start + 200_000) },
  { updatedSince: new Date(start + 120_000) },
  { sort: 'created' },
  { status: 'paid', sort: 'created', from: new Date(start + 100_000) },
];

// specification: pages-filters-and-only
test.serial('a page of orders by any filter is read in its order, without a scan or a sort', async (t) => {
  for (const filter of filters) {
    for (const behind of [null, { at: new Date(start + 150_000), orderId: orderId('ord_mine_00451') }]) {
      const seen: OrderRow[] = [];
      const profiled = await profileQueries(store, async () => {
        seen.push(...(await listOrders(store, mine, { filter, behind, limit: 20 })));
      });
      t.true(profiled.length > 0);
      for (const { planSummary = '', docsExamined, keysExamined, hasSortStage = false } of profiled) {
        const plan = JSON.stringify({ filter, behind, planSummary, docsExamined, keysExamined, hasSortStage });
        t.false(planSummary.includes('COLLSCAN') || hasSortStage, plan);
        t.true(docsExamined <= 25 && keysExamined <= 60, plan);
      }
      t.deepEqual(
        seen.map(({ _id }) => _id),
        expected(filter, behind).slice(0, 20),
      );
    }
  }
});

test.serial('sums by day of completion read an index alone, and of it the time that is asked for', async (t) => {
  const range = { from: new Date(start + 100_000), to: new Date(start + 199_999) };
  const work = async (): Promise<void> => {
    const days = await sumCompletedByDay(store, [mine], range);
    t.deepEqual(days, [{ day: '2026-01-01', orders: 300, grossOre: 30_000, feeOre: 1_500 }]);
  };
  const [query, ...others] = await profileQueries(store, work, 'aggregate');
  t.deepEqual(others, []);
  t.is(query?.docsExamined, 0);
  t.true((query?.keysExamined ?? Infinity) <= 301, JSON.stringify(query));
});

test.serial('the completion of a direct sale reads index keys of the direct sales of its month alone', async (t) => {
  const terms = { resellerAccountId: accountId('reseller'), agreementId: 'd1', commissionBps: 100, commissionOre: 1 };
  const aSale = (n: number): OrderRow => ({ ...anOrder('seller', n), state: 'completed', commission: terms });
  const won = Array.from({ length: 100 }, (_, n): OrderRow => ({ ...aSale(n), platform: 'marketplace' }));
  await orderRows(store).insertMany([...won, ...Array.from({ length: 50 }, (_, n) => aSale(100 + n))]);
  const complete = (session: ClientSession) => writeOrder(store, { before: null, after: aSale(150) }, session);
  const [query, ...others] = await profileQueries(store, () => inTransaction(store, complete), 'aggregate');
  t.deepEqual(others, []);
  t.is(query?.docsExamined, 0);
  t.true((query?.keysExamined ?? Infinity) <= 55, JSON.stringify(query));
});

test.serial(
  'the newest orders of six items, one of them with thousands, are read without a scan or a sort',
  async (t) => {
    const many = Array.from({ length: 2_000 }, (_, n) => ({ ...anOrder('many', n), externalId: 'A1' }));
    await orderRows(store).insertMany(many);
    const externalIds = ['A1', 'A2', 'A3', 'A4', 'A5', 'A6'];
    const [query, ...others] = await profileQueries(store, async () => {
      t.is((await findOrdersOfItems(store, accountId('many'), { externalIds, limit: 5 })).length, 5);
    });
    t.deepEqual(others, []);
    t.false(query?.hasSortStage ?? false);
    t.true((query?.docsExamined ?? Infinity) <= 5 && (query?.keysExamined ?? Infinity) <= 20, JSON.stringify(query));
  },
);

/** The same by a slow, plain way. */
function expected({ status, externalId, from, to, updatedSince, sort }: OrderFilter, behind: OrderPlace | null) {
  const isNewestFirst = updatedSince === undefined && sort !== 'created';
  const all = Array.from({ length: 3_000 }, (_, n) => anOrder('mine', n));
  const isBehind = ({ _id, createdAt: at }: OrderRow): boolean => {
    if (behind === null) return true;
    const newer = at.getTime() - behind.at.getTime() || (_id > behind.orderId ? 1 : _id < behind.orderId ? -1 : 0);
    return isNewestFirst ? newer < 0 : newer > 0;
  };
  return (isNewestFirst ? all.toReversed() : all)
    .filter(({ state }) => status === undefined || state === status)
    .filter((order) => externalId === undefined || order.externalId === externalId)
    .filter(({ createdAt }) => (from === undefined || createdAt >= from) && (to === undefined || createdAt < to))
    .filter(({ changedAt }) => updatedSince === undefined || changedAt >= updatedSince)
    .filter(isBehind)
    .map(({ _id }) => _id);
}

test.serial('the open orders of the items of a page are looked up without a scan', async (t) => {
  const profiled = await profileQueries(store, async () => {
    // Both accounts have orders of both items.
    const open = await listOpenOrders(store, [
      { accountId: mine, itemId: itemId('item-100') },
      { accountId: accountId('other'), itemId: itemId('item-101') },
    ]);
    t.deepEqual(open.map(({ _id }) => _id as string).toSorted(), ['ord_mine_00201', 'ord_other_00203']);
  });
  for (const { planSummary = '', docsExamined, keysExamined } of profiled)
    t.true(planSummary.startsWith('IXSCAN') && docsExamined <= 4 && keysExamined <= 12, planSummary);
});
