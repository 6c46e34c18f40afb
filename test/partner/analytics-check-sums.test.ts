import { randomUUID } from 'node:crypto';
import test from 'ava';
import { accountId, itemId } from '../../features/rules/ids.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { countUncounted } from '../../features/items/store/inventory-counts.ts';
import { createItemStore } from '../../features/items/store/items.ts';
import { checkSums, type WrongSums } from '../../features/partner/analytics.ts';
import { anItem } from '../support/an-item.ts';
import { closeTestStore, openTestStore } from '../support/open-test-store.ts';

let store: StoreConnection;
test.before(async () => {
  store = await openTestStore();
});
test.after.always(async () => {
  await closeTestStore(store);
});

async function check(repair: boolean): Promise<WrongSums[]> {
  const found: WrongSums[] = [];
  for await (const account of checkSums({ store }, { repair })) found.push(account);
  return found;
}

test('a check names the accounts whose sums are wrong, and a repair makes them right', async (t) => {
  const [right, wrong] = [accountId(randomUUID()), accountId(randomUUID())];
  for (const account of [right, wrong]) {
    await store.connection
      .collection<{ _id: string; email: string }>('accounts')
      .insertOne({ _id: account, email: `${account}@example.com` });
    const ids = { id: itemId(randomUUID()), accountId: account };
    await createItemStore(store).insert(anItem(ids));
  }
  await countUncounted(store);
  t.deepEqual(await check(false), []);
  await store.connection.collection<{ _id: string }>('inventory_counts').deleteOne({ _id: wrong });
  const found = [{ accountId: wrong, itemCounts: 1, orderSums: 0, commissionSums: 0 }];
  t.deepEqual(await check(false), found);
  t.deepEqual(await check(true), found);
  t.deepEqual(await check(false), []);
});
