import test from 'ava';
import { accountId } from '../../features/rules/ids.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { rowFromItem } from '../../features/items/store/item-row.ts';
import { itemCollection } from '../../features/items/store/item-collection.ts';
import { orderRows } from '../../features/orders/store/orders.ts';
import { blockedItemsOf, connectionsOf, missedOf, salesOf } from '../../features/resellers/store/member-health.ts';
import { anItem, later } from '../support/an-item.ts';
import { closeTestStore, openTestStore } from '../support/open-test-store.ts';

const members = Array.from({ length: 2_000 }, (_, n) => accountId(`member-${n}`));
const reseller = accountId('reseller');
let store: StoreConnection;

test.before('each of 2,000 members has two items, of which every tenth is blocked, and three orders', async () => {
  store = await openTestStore();
  const template = rowFromItem(anItem());
  const items = members.flatMap((account, n) =>
    [0, 1].map((k) => ({
      ...template,
      _id: `${account}-${k}`,
      accountId: account,
      externalId: `A${k}`,
      ...(n % 10 === 0 && { blockedReason: 'images', blockedSince: later(n) }),
    })),
  );
  await itemCollection(store).insertMany(items);
  const orders = members.flatMap((account) =>
    [0, 1, 40].map((days) => ({
      _id: `${account}-${days}`,
      accountId: account,
      state: 'completed',
      amountOre: 100,
      commission: { resellerAccountId: reseller },
      createdAt: later(-days * 24 * 3_600_000),
    })),
  );
  await orderRows(store).collection.insertMany(orders as never);
});
test.after.always(async () => {
  await closeTestStore(store);
});

interface Profiled {
  readonly op: string;
  readonly docsExamined?: number;
  readonly keysExamined?: number;
  readonly planSummary?: string;
}

test.serial('the health of 2,000 members is one indexed query each, which reads what it counts', async (t) => {
  const database = store.connection.db;
  if (database === undefined) throw new Error('not connected');
  await database.command({ profile: 2 });
  await connectionsOf(store, members);
  const blocked = await blockedItemsOf(store, members);
  await missedOf(store, reseller, members);
  const sales = await salesOf(store, reseller, { members, since: later(-30 * 24 * 3_600_000) });
  await database.command({ profile: 0 });
  t.is(blocked.size, 200);
  t.is(blocked.get(accountId('member-10')), 2);
  t.is(sales.size, 2_000);
  t.deepEqual(sales.get(accountId('member-7')), { orders: 2, amountOre: 200 });
  const found = await database
    .collection<Profiled>('system.profile')
    .find({ planSummary: { $exists: true } })
    .toArray();
  const asked = found.filter(({ op }) => op !== 'getmore').length;
  t.true(asked <= 5, `${asked} queries`);
  for (const { planSummary = '' } of found) t.regex(planSummary, /^(IXSCAN|IDHACK|EOF)/);
  const documents = found.reduce((sum, { docsExamined = 0 }) => sum + docsExamined, 0);
  t.true(documents <= 4_000 + 400, `${documents} documents`);
});
