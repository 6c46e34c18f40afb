import { randomUUID } from 'node:crypto';
import test from 'ava';
import { itemId } from '../../features/rules/ids.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { formersMax } from '../../features/items/store/former-items.ts';
import { createItemLineStore } from '../../features/items/store/item-lines.ts';
import { rowFromItem } from '../../features/items/store/item-row.ts';
import { itemCollection } from '../../features/items/store/item-collection.ts';
import { anAccountId, anItem } from '../support/an-item.ts';
import { withDatabase } from '../support/with-database.ts';

let store: StoreConnection;
withDatabase(test, (opened) => (store = opened));

test('of an external id that was deleted thousands of times a chunk reads few, and the newest of each', async (t) => {
  const buried = (externalId: string, sequence: number) =>
    rowFromItem({ ...anItem({ externalId, sequence }), id: itemId(randomUUID()), current: false });
  const often = Array.from({ length: 2_000 }, (_, n) => buried('often', n + 1));
  await itemCollection(store).insertMany([...often, buried('once', 1), buried('twice', 2), buried('twice', 1)]);
  const database = store.connection.db;
  if (database === undefined) throw new Error('not connected');
  await database.command({ profile: 2 });
  const found = await createItemLineStore(store).findFormer(anAccountId, ['never', 'often', 'once', 'twice']);
  await database.command({ profile: 0 });
  const read = await database
    .collection('system.profile')
    .find({ ns: `${database.databaseName}.items` })
    .toArray();
  t.deepEqual(
    [...found].map(([externalId, { sequence }]) => [externalId, sequence]),
    [
      ['often', 2_000],
      ['once', 1],
      ['twice', 2],
    ],
  );
  const documents = read.reduce((sum, { docsExamined = 0 }) => sum + Number(docsExamined), 0);
  t.true(read.length > 0 && documents <= 3 * formersMax, `${documents} documents`);
});
