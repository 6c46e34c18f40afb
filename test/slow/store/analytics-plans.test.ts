import { randomUUID } from 'node:crypto';
import test from 'ava';
import { accountId, itemId } from '../../../core/ids.ts';
import type { StoreConnection } from '../../../store/database/connection.ts';
import { countUncounted, readItemCounts } from '../../../store/items/inventory-counts.ts';
import { rowFromItem } from '../../../store/items/item-row.ts';
import { itemCollection } from '../../../store/items/items.ts';
import { readOrderSums } from '../../../store/orders/order-sums.ts';
import { anItem } from '../../support/an-item.ts';
import { closeTestStore, openTestStore } from '../../support/open-test-store.ts';

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
    return rowFromItem(anItem({ ...ids, due: null }));
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
test('reading the analytics looks at the sums and at what is uncounted, and at nothing else', async (t) => {
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
