import test from 'ava';
// Define all collections.
import '../../compose/context.ts';
import '../../compose/worker.ts';
import { dividedCollections, keyOf } from '../runner/shard-keys.ts';
import { commandsSeen, violationsOf } from '../runner/watch-commands.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { withDatabase } from '../support/with-database.ts';

let store: StoreConnection;
withDatabase(test, (opened) => (store = opened));

test('a command for one account, or for some that it names, is one for their shards', (t) => {
  const accountId = 'a';
  const fine: readonly (readonly [string, Record<string, unknown>])[] = [
    ['find', { find: 'items', filter: { accountId, current: true } }],
    ['find', { find: 'items', filter: { accountId: { $in: ['a', 'b'] }, _id: 'x' } }],
    ['find', { find: 'items', filter: { $or: [{ accountId }, { accountId: { $eq: 'b' } }] } }],
    ['find', { find: 'bulk_errors', filter: { _id: { $gt: 'u:', $lt: 'u;' } } }],
    ['find', { find: 'accounts', filter: {} }],
    ['update', { update: 'items', updates: [{ q: { accountId, externalId: 'A1', _id: 'x' }, upsert: true }] }],
    ['aggregate', { aggregate: 'items', pipeline: [{ $match: { accountId } }, { $lookup: { from: 'accounts' } }] }],
    ['insert', { insert: 'items', documents: [{}] }],
  ];
  for (const [name, command] of fine) t.deepEqual(violationsOf(name, command), [], JSON.stringify(command));
});

test('a command that names none is found, and so is an upsert without the whole key', (t) => {
  const wrong: readonly (readonly [string, Record<string, unknown>, string])[] = [
    ['find', { find: 'items', filter: { _id: 'x' } }, 'find items by _id'],
    ['find', { find: 'items', filter: { accountId: { $gt: '' } } }, 'find items by accountId'],
    ['find', { find: 'items', filter: { $or: [{ accountId: 'a' }, { _id: 'x' }] } }, 'find items by $or'],
    ['distinct', { distinct: 'orders', query: {} }, 'distinct orders by '],
    ['delete', { delete: 'journal', deletes: [{ q: { itemId: 'x' } }] }, 'delete journal by itemId'],
    ['findAndModify', { findAndModify: 'orders', query: { _id: 'x' } }, 'findAndModify orders by _id'],
    [
      'update',
      { update: 'items', updates: [{ q: { accountId: 'a', _id: 'x' }, upsert: true }] },
      'update items by _id, accountId',
    ],
    ['aggregate', { aggregate: 'items', pipeline: [{ $group: {} }] }, 'aggregate items by nothing'],
    [
      'aggregate',
      { aggregate: 'accounts', pipeline: [{ $unionWith: { coll: 'orders', pipeline: [{ $match: { _id: 'x' } }] } }] },
      'aggregate orders by _id',
    ],
  ];
  for (const [name, command, told] of wrong) t.deepEqual(violationsOf(name, command), [told]);
});

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
