import { randomUUID } from 'node:crypto';
import test from 'ava';
import { itemId } from '../../core/ids.ts';
import { createItemStore, itemCollection } from '../../store/items/items.ts';
import { repairTrouble } from '../../store/operations/repair-blocked-reasons.ts';
import { countStuckItems } from '../../store/operations/stuck-items.ts';
import { anItem, noon } from '../support/an-item.ts';
import { closeTestStore, openTestStore } from '../support/open-test-store.ts';

test('rows of a version that knew of no trouble are found after a repair, in pages; a second one changes nothing', async (t) => {
  const store = await openTestStore();
  t.teardown(() => closeTestStore(store));
  const items = itemCollection(store);
  const waiting = { ...anItem().processing, waitingFor: 'marketplace', since: noon };
  for (let n = 0; n < 510; n += 1) {
    const item = anItem({ id: itemId(randomUUID()), externalId: `A${n}` });
    await createItemStore(store).insert(n % 2 === 0 ? item : { ...item, processing: waiting });
  }
  await items.updateMany({}, { $unset: { blockedReason: 1, blockedSince: 1 } });
  // An old process has ended this one's trouble and left the note.
  await items.updateOne({ externalId: 'A0' }, { $set: { blockedReason: 'images', blockedSince: noon } });
  t.deepEqual(await repairTrouble(store), { looked: 510, repaired: 256 });
  t.deepEqual(await countStuckItems(store, { before: noon }), [{ reason: 'marketplace', count: 255, oldest: noon }]);
  t.deepEqual(await repairTrouble(store), { looked: 510, repaired: 0 });
});
