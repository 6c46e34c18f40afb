import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { createdItem } from '../../bench/support/catalogue.ts';
import { inBulk } from '../../features/items/rules/owed-work.ts';
import { accountId } from '../../features/rules/ids.ts';
import type { Item } from '../../features/items/rules/item.ts';
import { freePort } from '../../embedded/choose-port.ts';
import { openStore, type StoreConnection } from '../../platform/database/connection.ts';
import { itemCollection } from '../../features/items/store/item-collection.ts';
import { createItemStore } from '../../features/items/store/items.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import {
  askMember,
  holdReplication,
  startReplicaSet,
  type ReplicaSet,
} from '../../verification/chaos/world/replica-set.ts';
import { listBacklogAccounts } from '../../features/items/store/owed-items.ts';
import { until } from '../support/until.ts';

let set: ReplicaSet;
test.before(async () => {
  const folder = mkdtempSync(join(process.env['TEST_DIRECTORY'] ?? '', 'set-'));
  set = await startReplicaSet({ binary: process.env['ITEMBRIDGE_MONGOD_BIN'] ?? '', folder, anyPort: freePort });
});
test.after.always(() => set.stop());

async function openSet(t: ExecutionContext) {
  t.timeout(180_000);
  const store = await openStore({ uri: set.uri, database: 'failover' });
  t.teardown(() => store.close());
  await store.ensureIndexes();
  const primary = await until('there is a primary', () => set.primary());
  return { store, primary };
}

/** A store of the set whose followers don't hear of what is written, and the failover that forgets it. */
async function openStoreWithoutMajority(t: ExecutionContext) {
  const { store } = await openSet(t);
  return { store, failOver: await holdReplication(set) };
}

test.serial(
  'nothing comes of a write that only a primary had which is gone: no look finds it, no event, no workflow',
  async (t) => {
    const { store, failOver } = await openStoreWithoutMajority(t);
    const account = accountId(randomUUID());
    const api = await openStore({ uri: set.uri, database: 'failover' });
    const item = inBulk(createdItem(account, 'A1'));
    const written = createItemStore(api)
      .insert(item)
      .catch(() => 'never answered');
    await until('the item is on the primary', () =>
      itemCollection(store).findOne({ accountId: account }, { readConcern: 'local' }),
    );
    t.deepEqual(await listBacklogAccounts(store), []);
    await api.connection.close(true);
    t.is(await written, 'never answered');
    await failOver();
    t.is(await itemCollection(store).findOne({ accountId: account }), null);
    t.is(await store.connection.collection('events').findOne({ accountId: account }), null);
  },
);

test.serial(
  'a change whose answer is lost is its caller’s, alone and beside others: the driver repeats it',
  async (t) => {
    const { store, primary } = await openSet(t);
    const items = createItemStore(store);
    const account = accountId(randomUUID());
    const made = ['A1', 'A2', 'A3'].map((externalId) => createdItem(account, externalId));
    await Promise.all(made.map((item) => items.insert(item)));
    const lost = { code: 91, errmsg: 'the primary goes away', errorLabels: ['RetryableWriteError'] };
    const changeAll = async (changed: readonly Item[], lostSoFar: number) => {
      const data = { failCommands: ['commitTransaction'], writeConcernError: lost };
      await askMember(primary, { configureFailPoint: 'failCommand', mode: { times: 1 }, data });
      const stored = await Promise.all(
        changed.map((item) => items.replace(item, { ...item, revision: 2 }, { isAccepted: true })),
      );
      t.deepEqual(
        stored.map((item) => item?.revision),
        changed.map(() => 2),
      );
      const { count } = await askMember(primary, { configureFailPoint: 'failCommand', mode: 'off' });
      t.is(count, lostSoFar);
    };
    await changeAll(made.slice(0, 1), 1);
    await changeAll(made.slice(1), 2);
  },
);

const rowsOf = (store: StoreConnection) => store.connection.collection<{ _id: number; value: number }>('rows');

test.serial(
  'writes and transactions in flight when the primary dies are repeated by the driver, each once',
  async (t) => {
    const { store, failOver } = await openStoreWithoutMajority(t);
    const rows = rowsOf(store);
    const numbers = Array.from({ length: 30 }, (_, number) => number);
    // Their majority is what they wait for.
    const writes = numbers.slice(0, 20).map((_id) => rows.updateOne({ _id }, { $inc: { value: 1 } }, { upsert: true }));
    const transactions = numbers
      .slice(20)
      .map((_id) =>
        inTransaction(store, (session) => rows.updateOne({ _id }, { $inc: { value: 1 } }, { upsert: true, session })),
      );
    const outcomes = Promise.allSettled([...writes, ...transactions]);
    await until('all are on the primary', async () => (await countLocally(store)) === 20 + transactions.length);
    await failOver();
    t.deepEqual(
      (await outcomes).filter(({ status }) => status === 'rejected'),
      [],
    );
    t.deepEqual(
      (await rows.find().sort({ _id: 1 }).toArray()).map(({ _id, value }) => [_id, value]),
      numbers.map((number) => [number, 1]),
    );
  },
);

const countLocally = async (store: StoreConnection): Promise<number> =>
  (await rowsOf(store).find({}, { readConcern: 'local' }).toArray()).length;
