import { randomUUID } from 'node:crypto';
import test from 'ava';
import { MongoNetworkError } from 'mongodb';
import { accountId, itemId, type ItemId } from '../../core/ids.ts';
import { settle } from '../../core/items/accept-write.ts';
import { changePrice } from '../../core/items/change-price.ts';
import { deleteItem } from '../../core/items/delete-item.ts';
import type { Item } from '../../core/items/item.ts';
import { takingShortWay } from '../../core/items/short-way.ts';
import { OrchestratorUnavailable } from '../../gateways/orchestrator/port.ts';
import { createLogger } from '../../platform/logger.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { createItemStore } from '../../store/items/items.ts';
import { advanceItem } from '../../usecases/items/advance-item.ts';
import { createLookFirst } from '../../usecases/items/look-first.ts';
import { createItemLane } from '../../usecases/items/item-lane.ts';
import { aGate } from '../support/a-gate.ts';
import { aCall, aLiveItem, anAccountId, anItem, later, noon } from '../support/an-item.ts';
import { awaitMajority, closeTestStore, openTestStore } from '../support/open-test-store.ts';

let store: StoreConnection;
test.before(async () => {
  store = await openTestStore();
});
test.beforeEach(async () => {
  await store.connection.collection('items').deleteMany({});
});
test.after.always(async () => {
  await closeTestStore(store);
});

// One after the other: there is one lane for all accounts.
type Kind = 'short' | 'long';

async function add(kind: Kind, count: number, accountId = anAccountId): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const item = anItem({
      ...{ accountId, externalId: `${kind}${number}`, id: itemId(randomUUID()) },
      wantedPublication: kind === 'long' ? 1 : 0,
    });
    await createItemStore(store).insert(takingShortWay(item, later(0)));
  }
}

/** A worker's lane whose events, if `tell` says so, can't be stored. */
function aWorker(tell: (item: Item) => Promise<void> = () => Promise.resolve()) {
  const items = createItemStore(store);
  const nudged: ItemId[] = [];
  const told: ItemId[] = [];
  let nowMs = 10_000;
  let isEngineAway = false;
  const now = () => later(nowMs);
  const lookFirst = createLookFirst(
    {
      ...{ items, now },
      storeOutbox: async (item) => {
        await tell(item);
        told.push(item.id);
      },
    },
    createLogger('test', 'fatal'),
  );
  const orchestrator = {
    nudgeItem: async (item: { itemId: ItemId }) => {
      if (isEngineAway) throw new OrchestratorUnavailable(new Error('away'));
      nudged.push(item.itemId);
    },
  };
  const lane = createItemLane({ items, orchestrator, lookFirst, now });
  return {
    ...{ nudged, told, pass: (ms: number) => (nowMs += ms) },
    setEngineAway: (isAway: boolean) => (isEngineAway = isAway),
    lane,
    /** As many rounds as it takes to look at all that is due. */
    rounds: async () => {
      await awaitMajority(store);
      while (await lane.round());
      await lane.drain();
    },
  };
}

const owed = (): Promise<number> =>
  store.connection.collection('items').countDocuments({ nextNudgeAt: { $type: 'date' } });

test.serial('what is short is settled by the look, the rest is left to workflows', async (t) => {
  await add('short', 3);
  await add('long', 2);
  const worker = aWorker();
  await worker.rounds();
  t.is(worker.nudged.length, 2);
  t.is(worker.told.length, 3);
  t.is(await owed(), 2);
  await worker.rounds();
  t.is(worker.nudged.length, 2, 'a claim lasts a moment');
});

// specification: an-engine-that-is
test.serial('a row that cannot be read is left to its workflow, and keeps none of the others', async (t) => {
  await add('short', 3);
  const rows = store.connection.collection('items');
  await rows.updateOne({ externalId: 'short1' }, { $set: { 'extendedAttributes.domain': 'of a newer version' } });
  const worker = aWorker();
  await worker.rounds();
  t.is(worker.told.length, 2);
  t.is(worker.nudged.length, 1);
});

// specification: an-engine-that-is
test.serial('an account whose rows are locked leaves places to the others, and does not hold the rounds', async (t) => {
  const locked = accountId('b0000000-0000-4000-8000-000000000000');
  await add('short', 40, locked);
  const { opened: unlocked, open: unlock } = aGate();
  const worker = aWorker(({ accountId: of }) => (of === locked ? unlocked : Promise.resolve()));
  t.true(await worker.lane.round());
  await add('short', 30);
  while ((await owed()) > 40) await worker.lane.round();
  t.is(worker.told.length, 30, 'all of the others');
  unlock();
  await worker.rounds();
  worker.pass(2_000);
  await worker.rounds();
  t.is(worker.told.length, 70);
  t.is(await owed(), 0);
});

test.serial('a price that an auction shows already needs no workflow', async (t) => {
  const item = changePrice(settle(aLiveItem(), noon), 45_040, aCall(0));
  await createItemStore(store).insert(takingShortWay(item, later(0)));
  const worker = aWorker();
  await worker.rounds();
  t.is(worker.nudged.length, 0);
  t.is(await owed(), 0);
});

test.serial(
  'an item that a workflow was left with is told to that, until it came to rest there untroubled',
  async (t) => {
    await add('long', 1);
    const items = createItemStore(store);
    const read = async (): Promise<Item> => {
      const row = await store.connection.collection('items').findOne({});
      const item = await items.findById(itemId(String(row?._id)));
      if (item === null) throw new Error('there is an item');
      return item;
    };
    const write = async (change: (item: Item) => Item): Promise<void> => {
      const found = await read();
      await items.replace(found, change(found));
    };
    const byWorkflow = async () =>
      advanceItem({ items, now: () => noon, storeOutbox: async () => {} }, (await read()).id);
    t.like(await byWorkflow(), { kind: 'prepare-listing' });
    // As a file that leaves it out does, whose items are nobody's to nudge at once.
    await write((item) => takingShortWay(deleteItem(item, aCall(0)), later(0)));
    const worker = aWorker();
    worker.pass(2_000);
    await worker.rounds();
    t.is(worker.nudged.length, 1, 'the workflow may be waiting with it');

    t.like(await byWorkflow(), { kind: 'settled' });
    t.is((await read()).hasRun, false);
    await write((item) => ({ ...item, revision: item.revision + 1, nextNudgeAt: later(0) }));
    await worker.rounds();
    t.is(worker.nudged.length, 1);
    t.is(await owed(), 0);
  },
);

// specification: several-workers-a-database
test.serial('two workers share what is due', async (t) => {
  await add('short', 40);
  const workers = [aWorker(), aWorker()];
  // On a busy machine the database may be too slow for a look: its item is due again after some seconds of the workers' clock.
  for (let tries = 0; tries < 10 && (await owed()) > 0; tries += 1) {
    await Promise.all(workers.map(({ rounds }) => rounds()));
    for (const { pass } of workers) pass(60_000);
  }
  const told = workers.flatMap((worker) => worker.told);
  t.is(told.length, 40);
  t.is(new Set(told).size, 40);
  t.is(await owed(), 0);
});

// specification: an-engine-that-is
test.serial('an engine that is away keeps nothing from being settled that does not need it', async (t) => {
  await add('long', 3);
  await add('short', 3);
  const worker = aWorker();
  worker.setEngineAway(true);
  await worker.rounds();
  t.is(await owed(), 3);
  // Their backoff does not grow: they are due 2 s later, as often as it takes.
  for (let attempt = 0; attempt < 3; attempt += 1) {
    worker.pass(2_000);
    await worker.rounds();
    t.is(await owed(), 3);
  }
  worker.setEngineAway(false);
  worker.pass(2_000);
  await worker.rounds();
  t.is(worker.nudged.length, 3);
});

// specification: several-workers-a-database
test.serial('a look that fails goes on as a workflow, where operators see why', async (t) => {
  await add('short', 1);
  const worker = aWorker(() => Promise.reject(new Error('not stored')));
  await worker.rounds();
  t.is(worker.nudged.length, 1);
  t.is(await owed(), 1);
});

// specification: several-workers-a-database
test.serial('a look at a database that is away is repeated, and nobody is nudged', async (t) => {
  await add('short', 1);
  let isAway = true;
  const worker = aWorker(() => (isAway ? Promise.reject(new MongoNetworkError('away')) : Promise.resolve()));
  await worker.rounds();
  t.is(worker.nudged.length, 0);
  isAway = false;
  worker.pass(2_000);
  await worker.rounds();
  t.is(await owed(), 0);
  t.is(worker.told.length, 1);
});

// specification: several-workers-a-database
test.serial('a write that comes during the look is not settled unseen', async (t) => {
  await add('short', 1);
  const items = createItemStore(store);
  let writes = 0;
  const worker = aWorker(async ({ id }) => {
    writes += 1;
    const found = await items.findById(id);
    if (found === null || writes > 1) return;
    await items.replace(found, { ...found, revision: found.revision + 1, wantedPublication: 1 });
  });
  await worker.rounds();
  t.is(worker.nudged.length, 1, 'it is to be published now');
  t.is(await owed(), 1);
});
