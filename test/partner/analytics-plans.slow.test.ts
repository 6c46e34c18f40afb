import { randomUUID } from 'node:crypto';
import test from 'ava';
import { accountId, itemId, orderId } from '../../features/rules/ids.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import {
  countUncounted,
  inventoryCounts,
  readItemCounts,
  readItemCountsOf,
} from '../../features/items/store/inventory-counts.ts';
import { rowFromItem } from '../../features/items/store/item-row.ts';
import { itemCollection } from '../../features/items/store/item-collection.ts';
import { sumCompletedByDay } from '../../features/orders/store/order-list.ts';
import { readOrderSums, readOrderSumsOf } from '../../features/orders/store/order-sums.ts';
import { orderRows } from '../../features/orders/store/orders.ts';
import { profileQueries } from '../support/profile-queries.ts';
import { anItem, later } from '../support/an-item.ts';
import { closeTestStore, openTestStore } from '../support/open-test-store.ts';

let store: StoreConnection;
test.before(async () => {
  store = await openTestStore();
});
test.after.always(async () => {
  await closeTestStore(store);
});

interface ProfiledQuery {
  readonly ns: string;
  readonly op: string;
  readonly planSummary?: string;
  readonly docsExamined?: number;
  readonly keysExamined?: number;
}

const [account, another] = [accountId(randomUUID()), accountId(randomUUID())];

/** Counted ones, a few that are not yet, and those of another account. */
async function fill(): Promise<void> {
  const row = (owner: typeof account, n: number) => {
    const ids = { id: itemId(randomUUID()), accountId: owner, externalId: `A${n}` };
    return rowFromItem(anItem(ids));
  };
  const rows = [another, account].flatMap((owner) => Array.from({ length: 1_000 }, (_, n) => row(owner, n)));
  await itemCollection(store).insertMany(rows);
  while (await countUncounted(store));
  await itemCollection(store).insertMany([row(account, 2_001), row(account, 2_002), row(another, 2_001)]);
  await store.connection.collection('order_sums').insertMany(
    [another, account].flatMap((owner) =>
      Array.from({ length: 100 }, (_, n) => ({
        ...{ accountId: owner, month: `2026-${n}`, category: `c${n}` },
        ...{ orders: 1, grossOre: 100, feeOre: 5 },
      })),
    ),
  );
}

// specification: sums-are-kept-not
test.serial('reading the analytics looks at the sums and at what is uncounted, and at nothing else', async (t) => {
  await fill();
  const { db } = store.connection;
  if (db === undefined) throw new Error('not connected');
  await db.command({ profile: 2 });
  t.is((await readItemCounts(store, account)).active, 1_002);
  t.is((await readOrderSums(store, account)).length, 100);
  await db.command({ profile: 0 });
  const profile = db.collection<ProfiledQuery>('system.profile');
  const profiled = await profile.find({ planSummary: { $exists: true } }).toArray();
  t.deepEqual(
    profiled
      .map(({ ns, planSummary, keysExamined, docsExamined }) =>
        [ns.replace(/^.*\./, ''), planSummary, keysExamined, docsExamined].join(' | '),
      )
      .sort(),
    [
      // Two keys and the one behind them, with no document read, and then the row of the tally by its id.
      'items | IXSCAN { isUncounted: 1, accountId: 1, inventoryClass: 1, countedAs: 1 } | 3 | 1',
      'order_sums | IXSCAN { accountId: 1 } | 100 | 100',
    ],
  );
  t.false(await countUncounted(store));
});

const members = Array.from({ length: 2_000 }, (_, n) => accountId(`member-${String(n).padStart(4, '0')}`));
/** One of the members has this many orders outside of the days, beside the order that each has within. */
const large = 20_000;

/** Each with a tally, an item that is not counted yet, a row of sums and a completed order. */
async function fillMembers(): Promise<void> {
  const row = rowFromItem(anItem());
  await itemCollection(store).insertMany(
    members.map((owner, n) => ({ ...row, _id: itemId(`of-member-${n}`), accountId: owner, externalId: `M${n}` })),
  );
  await inventoryCounts(store).insertMany(members.map((owner) => ({ _id: owner, active: 10 })));
  await store.connection
    .collection('order_sums')
    .insertMany(
      members.map((of) => ({ accountId: of, month: '2026-1', category: 'c', orders: 1, grossOre: 1, feeOre: 0 })),
    );
  const owners = [...members, ...Array.from({ length: large }, () => members[7] ?? another)];
  const orders = owners.map((of, n) => ({
    ...{ _id: orderId(`ord_${n}`), accountId: of, amountOre: 100, feeOre: 5 },
    completedAt: later(n < members.length ? 5 : 1_000_000 + n),
  }));
  for (let n = 0; n < orders.length; n += 5_000)
    await orderRows(store).collection.insertMany(orders.slice(n, n + 5_000) as never);
}

test.serial(
  'the figures of 2,000 members cost a few keys for each of them, and nothing for what they have',
  async (t) => {
    t.timeout(180_000);
    await fillMembers();
    const queries = await profileQueries(
      store,
      async () => {
        t.is((await readItemCountsOf(store, members)).active, members.length * 11);
        t.deepEqual(await readOrderSumsOf(store, members), [
          { month: '2026-1', category: 'c', orders: members.length, grossOre: members.length, feeOre: 0 },
        ]);
        const [day] = await sumCompletedByDay(store, members, { from: later(0), to: later(10) });
        t.is(day?.grossOre, members.length * 100);
      },
      'any',
    );
    // The tallies of all members are read with the marks, in a second batch.
    t.deepEqual(queries.map(({ ns, op }) => `${ns.replace(/^.*\./, '')} ${op}`).sort(), [
      'items command',
      'items getmore',
      'order_sums command',
      'orders command',
    ]);
    for (const { ns, op, planSummary = '', docsExamined, keysExamined } of queries) {
      const plan = JSON.stringify({ ns, op, planSummary, docsExamined, keysExamined });
      t.true(planSummary.startsWith('IXSCAN'), plan);
      t.true(keysExamined <= members.length * 4 && docsExamined <= members.length * 2, plan);
    }
  },
);
