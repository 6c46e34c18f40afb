import { randomUUID } from 'node:crypto';
import test from 'ava';
import { itemId } from '../../features/rules/ids.ts';
import { itemWithPrice } from '../../features/items/rules/change-price.ts';
import { firstImageSet } from '../../features/images/rules/image-set.ts';
import type { Item } from '../../features/items/rules/item.ts';
import { changeNewestListing } from '../../features/listings/rules/publication.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { createItemLineStore } from '../../features/items/store/item-lines.ts';
import { itemCollection } from '../../features/items/store/item-collection.ts';
import { createItemStore, type ItemStore } from '../../features/items/store/items.ts';
import { aCaller, aLiveItem, noon } from '../support/an-item.ts';
import { withDatabase } from '../support/with-database.ts';
import { present } from '../support/clock.ts';

let store: StoreConnection;
let items: ItemStore;
withDatabase(test, (opened) => {
  store = opened;
  items = createItemStore(store);
});

/** Made by a process whose clock is wrong by months: it says noon of a day in November 2026. */
const aNewItem = (): Item => {
  const id = itemId(randomUUID());
  return aLiveItem({ id, externalId: id });
};
const changedAt = async (item: Item): Promise<number> => {
  const stored = await items.findById(item);
  return stored?.changedAt?.getTime() ?? Number.NaN;
};
/** A stored item that changed last when the epoch began. */
async function anOldItem(): Promise<Item> {
  const item = aNewItem();
  await items.insert(item);
  await itemCollection(store).updateOne({ _id: item.id }, { $set: { changedAt: new Date(0) } });
  return item;
}
const isNow = (time: number): boolean => time !== noon.getTime() && Math.abs(present().getTime() - time) < 60_000;

for (const isAccepted of [true, false])
  test(`a new item has the database's time, whatever the clock of its process says: ${isAccepted ? 'a call' : 'a bulk line'}`, async (t) => {
    const [alone, line] = [aNewItem(), aNewItem()];
    await items.insert(alone, { isAccepted });
    await createItemLineStore(store).write([{ previous: null, next: line }], { isAccepted });
    t.true(isNow(await changedAt(alone)));
    t.true(isNow(await changedAt(line)));
  });

const changes: Readonly<Record<string, (item: Item) => Item>> = {
  'an accepted write': (item) => itemWithPrice(item, 12_300, { now: noon, actor: aCaller }),
  'an image': (item) => ({ ...item, imageSet: firstImageSet(['https://i.test/1.jpg']) }),
  'a better text': (item) => ({ ...item, enrichment: { ...item.enrichment } }),
  'a step of a listing': (item) => changeNewestListing(item, { state: 'ended' }),
};
for (const [name, change] of Object.entries(changes))
  // specification: the-list-updatedsince-and
  test(`what shows a change to a caller gets the database's time: ${name}`, async (t) => {
    const item = await anOldItem();
    await items.replace(item, change(item));
    t.true(isNow(await changedAt(item)));
  });

test('what shows nothing to a caller leaves the time of the change', async (t) => {
  const item = await anOldItem();
  await items.replace(item, {
    ...item,
    startAt: noon,
    outbox: [],
    processing: { ...item.processing, attempts: 3 },
  });
  t.is(await changedAt(item), 0);
});
