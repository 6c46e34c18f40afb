import { randomUUID } from 'node:crypto';
import test from 'ava';
import { itemId } from '../../features/rules/ids.ts';
import { acceptWrite, idle } from '../../features/items/rules/owed-work.ts';
import type { Item } from '../../features/items/rules/item.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { itemCollection } from '../../features/items/store/item-collection.ts';
import { createItemStore } from '../../features/items/store/items.ts';
import { readServiceCounts } from '../../features/operations/store/service-counts.ts';
import { anItem } from '../support/an-item.ts';
import { closeTestStore, openTestStore } from '../support/open-test-store.ts';
import { present } from '../support/clock.ts';
import { storeAsIs } from '../support/store-as-is.ts';

const dayMs = 86_400_000;
const longAgo = present(-10 * dayMs);
let store: StoreConnection;
test.beforeEach(async () => {
  store = await openTestStore();
});
test.afterEach.always(() => closeTestStore(store));

/** As it stands since ten days. */
async function stored(changes: Partial<Item>): Promise<Item> {
  const old = { acceptedAt: longAgo, updatedAt: longAgo, createdAt: longAgo };
  const item = anItem({ ...changes, ...old, id: itemId(randomUUID()) });
  await storeAsIs(store, item);
  return item;
}

async function owedForMs(): Promise<number> {
  const { oldestOwedAt } = await readServiceCounts(store);
  if (oldestOwedAt === null) throw new Error('nothing is owed');
  return present().getTime() - oldestOwedAt.getTime();
}

test.serial('an old item at rest that is woken is owed since then, and no further step changes that', async (t) => {
  const items = createItemStore(store);
  const resting = await stored({ settledRevision: 1 });
  const woken = await items.replace(resting, acceptWrite(resting, present()));
  if (woken === null) return t.fail();
  t.true((await owedForMs()) < dayMs);
  const anHourAgo = present(-3_600_000);
  await itemCollection(store).updateOne({ _id: woken.id }, { $set: { owedSince: anHourAgo } });
  const onItsWay = await items.replace(woken, { ...woken, processing: { ...woken.processing, stage: 'images' } });
  if (onItsWay === null) return t.fail();
  await items.replace(onItsWay, acceptWrite(onItsWay, present()));
  t.true((await owedForMs()) >= 3_600_000, 'steps and further writes leave it owed since it was');
});

test.serial('an item whose long wait is over is owed since then', async (t) => {
  const waiting = { ...idle(longAgo), waitingFor: 'marketplace', since: longAgo } as const;
  const item = await stored({ startAt: present(), processing: waiting });
  t.is((await readServiceCounts(store)).oldestOwedAt, null);
  await createItemStore(store).replace(item, { ...item, processing: idle(present()) });
  t.true((await owedForMs()) < dayMs);
});
