import test from 'ava';
// Define all collections.
import '../../compose/context.ts';
import '../../compose/worker.ts';
import { dividedCollections, keyOf } from '../runner/shard-keys.ts';
import { commandsSeen } from '../runner/watch-commands.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { withDatabase } from '../support/with-database.ts';

let store: StoreConnection;
withDatabase(test, (opened) => (store = opened));

test('the commands of the tests are watched', async (t) => {
  const before = commandsSeen();
  await store.connection.collection('items').findOne({ accountId: 'a' });
  t.true(commandsSeen() > before);
});

test('a unique index of rows that are divided begins with their key, so that each shard can keep it', async (t) => {
  const collections = await store.connection.listCollections();
  const present = new Set(collections.map(({ name }) => name));
  t.true(present.has('items'));
  for (const name of dividedCollections().filter((divided) => present.has(divided))) {
    const [first = ''] = keyOf(name) ?? [];
    const unique = (await store.connection.collection(name).indexes()).filter((index) => index.unique === true);
    for (const { key } of unique) t.is(Object.keys(key)[0], first, `${name} ${JSON.stringify(key)}`);
  }
});
