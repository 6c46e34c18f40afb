import { randomUUID } from 'node:crypto';
import test from 'ava';
import { accountId, itemId, type AccountId, type ItemId } from '../../core/ids.ts';
import { Relay } from '../../dispatch/relay.ts';
import { WorkflowStarts } from '../../dispatch/start-workflows.ts';
import { OrchestratorUnavailable, type SignalledItem } from '../../gateways/orchestrator/port.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { rowFromItem } from '../../store/items/item-row.ts';
import { itemCollection } from '../../store/items/item-collection.ts';
import { anItem, later, noon } from '../support/an-item.ts';
import { closeTestStore, openTestStore } from '../support/open-test-store.ts';
import type { Item } from '../../core/items/item.ts';

let store: StoreConnection;
test.beforeEach(async () => {
  store = await openTestStore();
});
test.afterEach.always(() => closeTestStore(store));

const nothing = (): Promise<void> => Promise.resolve();
const anAccount = (): AccountId => accountId(randomUUID());

/** The relay of a worker. What it starts is noted. */
function aWorker(answer: () => Promise<void> = nothing) {
  const started: SignalledItem[] = [];
  const clock = { ms: 10_000 };
  const now = (): Date => later(clock.ms);
  const orchestrator = {
    ...{ startDelivery: nothing, startRecovery: nothing, startBulkSync: nothing, signalReceiver: nothing },
    signalItem: (item: SignalledItem) => {
      started.push(item);
      return answer();
    },
  };
  const starts = new WorkflowStarts({ store, orchestrator, logger: { warn: () => undefined }, now });
  const relay = new Relay({ store, starts, now });
  return { started, clock, round: () => relay.round() };
}

/** Items of an account that owe work, in this order. */
type Owed = Pick<Item, 'startAt' | 'starts' | 'bulk'>;

async function addItems(account: AccountId, count: number, owed: (n: number) => Owed): Promise<ItemId[]> {
  const rows = Array.from({ length: count }, (_, n) =>
    rowFromItem(anItem({ id: itemId(randomUUID()), accountId: account, externalId: `A${n}`, ...owed(n) })),
  );
  await itemCollection(store).insertMany(rows);
  return rows.map(({ _id }) => itemId(_id));
}

async function owedOf(id: ItemId | undefined): Promise<Partial<Owed>> {
  const row = id && (await itemCollection(store).findOne({ _id: id }));
  return row ? { startAt: row.startAt, starts: row.starts } : {};
}

const bulk = (n: number): Owed => ({ startAt: later(n), starts: 0, bulk: 'waits' });
const owed = (n: number): Owed => ({ startAt: later(n), starts: 0, bulk: null });

// specification: an-engine-that-is
test.serial('what was not started is started when its date has passed, and looked after again', async (t) => {
  const [account, worker] = [anAccount(), aWorker()];
  const [first] = await addItems(account, 3, owed);
  await addItems(anAccount(), 1, () => owed(3_600_000));
  t.false(await worker.round());
  t.deepEqual(
    worker.started.map(({ externalId }) => externalId),
    ['A0', 'A1', 'A2'],
  );
  t.deepEqual(await owedOf(first), { startAt: later(12_000), starts: 1 });
  await worker.round();
  t.is(worker.started.length, 3);
  worker.clock.ms += 3_000;
  await worker.round();
  t.is(worker.started.length, 6);
});

test.serial('of three relays at once one starts each item', async (t) => {
  await addItems(anAccount(), 100, owed);
  const workers = [aWorker(), aWorker(), aWorker()];
  await Promise.all(workers.map((worker) => worker.round()));
  const ids = workers.flatMap(({ started }) => started.map((item) => item.itemId));
  t.is(ids.length, 100);
  t.is(new Set(ids).size, 100);
});

// specification: an-engine-that-is
test.serial('while the engine is away an item is due again in 2 s, however long that is', async (t) => {
  const worker = aWorker(() => Promise.reject(new OrchestratorUnavailable(new Error('away'))));
  const [id] = await addItems(anAccount(), 1, owed);
  for (let round = 0; round < 3; round += 1) {
    await worker.round();
    t.deepEqual(await owedOf(id), { startAt: later(worker.clock.ms + 2_000), starts: 0 });
    worker.clock.ms += 2_001;
  }
});

test.serial('a large file stands before no lost start', async (t) => {
  await addItems(anAccount(), 300, bulk);
  await addItems(anAccount(), 1, owed);
  const worker = aWorker();
  await worker.round();
  t.is(worker.started.filter(({ isBacklog }) => isBacklog === undefined).length, 1);
});

// specification: fair-across-members-single
test.serial('bulk work is started account by account, and only so much is under way at once', async (t) => {
  const [large, small] = [anAccount(), anAccount()];
  await addItems(large, 60, bulk);
  await addItems(small, 3, bulk);
  const worker = aWorker();
  t.true(await worker.round());
  const startedOf = (account: AccountId) => worker.started.filter((item) => item.accountId === account);
  t.deepEqual([startedOf(large).length, startedOf(small).length], [16, 3]);
  t.true(worker.started.every(({ isBacklog }) => isBacklog));
  await worker.round();
  t.is(worker.started.length, 32);
  await worker.round();
  t.is(worker.started.length, 32, 'as many as may be');
  const [ended, waiting] = startedOf(large);
  await itemCollection(store).updateOne({ _id: ended?.itemId ?? '' }, { $set: { startAt: null, bulk: null } });
  await itemCollection(store).updateOne({ _id: waiting?.itemId ?? '' }, { $set: { bulk: null } });
  await worker.round();
  t.is(worker.started.length, 34);
});

test.serial('nothing that waits for its date is started', async (t) => {
  await addItems(anAccount(), 2, () => owed(3_600_000));
  await itemCollection(store).insertOne(rowFromItem(anItem()));
  const worker = aWorker();
  t.false(await worker.round());
  t.deepEqual(worker.started, []);
  t.true(noon < later(worker.clock.ms));
});
