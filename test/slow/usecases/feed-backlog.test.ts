import { randomUUID } from 'node:crypto';
import test from 'ava';
import { accountId, itemId, type AccountId, type ItemId } from '../../../core/ids.ts';
import { settle } from '../../../core/items/accept-write.ts';
import type { Item } from '../../../core/items/item.ts';
import { OrchestratorUnavailable, type NudgedItem } from '../../../gateways/orchestrator/port.ts';
import type { StoreConnection } from '../../../store/database/connection.ts';
import { createItemBacklog } from '../../../store/items/item-backlog.ts';
import { createItemStore } from '../../../store/items/items.ts';
import { changeItem } from '../../../usecases/items/change-item.ts';
import { courteousPlaces, createBacklogFeeder, usualPlaces } from '../../../usecases/items/feed-backlog.ts';
import { sweepItems } from '../../../usecases/items/sweep-items.ts';
import { anItem, later } from '../../support/an-item.ts';
import { awaitMajority, closeTestStore, openTestStore } from '../../support/open-test-store.ts';

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
/** Ids of accounts in the order in which the lane goes round. */
const accounts = ['a', 'b', 'c', 'd', 'e'].map((letter) => accountId(`${letter}0000000-0000-4000-8000-000000000000`));
const [first, second, third] = accounts as [AccountId, AccountId, AccountId];

async function fill(account: AccountId, count: number, change: Partial<Item> = {}): Promise<void> {
  for (let number = 0; number < count; number += 1)
    await createItemStore(store).insert({
      ...anItem({ accountId: account, externalId: `i${number}`, id: itemId(randomUUID()) }),
      ...{ nextNudgeAt: null, backlogAt: later(number), ...change },
    });
}

/** A worker's lane, its clock and what it nudged; `looksFirst`: items whose number is even are settled by its own look. */
function aWorker({ looksFirst = false } = {}) {
  const nudged: NudgedItem[] = [];
  let nowMs = 10_000;
  let isEngineAway = false;
  let isOthersTurn = false;
  const now = () => later(nowMs);
  const orchestrator = {
    nudgeItem: async (item: NudgedItem) => {
      if (isEngineAway) throw new OrchestratorUnavailable(new Error('away'));
      nudged.push(item);
    },
  };
  const items = createItemStore(store);
  const settleEven = async (id: ItemId): Promise<boolean> => {
    const { externalId = '' } = (await items.findById(id)) ?? {};
    if (Number(externalId.slice(1)) % 2 === 1) return false;
    await changeItem(items, id, (item) => settle(item, now()));
    return true;
  };
  const feed = createBacklogFeeder({
    backlog: createItemBacklog(store),
    orchestrator,
    now,
    isOthersTurn: () => isOthersTurn,
    ...(looksFirst && { lookFirst: settleEven }),
  });
  return {
    nudged,
    items,
    feed: async () => {
      await awaitMajority(store);
      return feed();
    },
    sweep: () => sweepItems({ items, orchestrator, now }),
    pass: (ms: number) => (nowMs += ms),
    setEngineAway: (isAway: boolean) => (isEngineAway = isAway),
    setOthersTurn: (isTheirs: boolean) => (isOthersTurn = isTheirs),
    settle: (id: ItemId) => changeItem(items, id, (item) => settle(item, now())),
    take: () => nudged.splice(0),
    inLane: async () => {
      await awaitMajority(store);
      return store.connection.collection('items').countDocuments({ backlogAt: { $type: 'date' } });
    },
  };
}

const accountsOf = (nudged: readonly NudgedItem[]) => nudged.map(({ accountId: of }) => of);

// specification: fair-across-members-single
test.serial('accounts take turns, the oldest item of each first, however long the line of one is', async (t) => {
  await fill(first, 30);
  await fill(second, 2);
  await fill(third, 1);
  const worker = aWorker();
  await worker.feed();
  const nudged = worker.take();
  t.deepEqual(accountsOf(nudged).slice(0, 5), [first, second, third, first, second]);
  t.deepEqual(
    nudged
      .filter((of) => of.accountId === first)
      .map(({ externalId }) => externalId)
      .slice(0, 4),
    ['i0', 'i1', 'i2', 'i3'],
  );
  t.true(nudged.every(({ isBacklog }) => isBacklog));
});

// specification: fair-across-members-single
test.serial('no more than the window is out at once, and one account leaves places for others', async (t) => {
  await fill(first, 40);
  const worker = aWorker();
  await worker.feed();
  t.is(worker.nudged.length, usualPlaces.alone);
  await worker.feed();
  t.is(worker.take().length, usualPlaces.alone);
  await fill(second, 40);
  await fill(third, 40);
  await worker.feed();
  t.is(worker.nudged.length, usualPlaces.window - usualPlaces.alone);
  t.deepEqual([...new Set(accountsOf(worker.take()))].toSorted(), [second, third]);
});

test.serial('what the worker settles by its own look takes no place and needs no workflow', async (t) => {
  await fill(first, 40);
  const worker = aWorker({ looksFirst: true });
  t.is(await worker.feed(), usualPlaces.alone / 2);
  t.deepEqual(
    worker.nudged.map(({ externalId }) => Number(externalId.slice(1)) % 2),
    Array.from({ length: usualPlaces.alone / 2 }, () => 1),
  );
  // The other half have the places that it left.
  t.is(await worker.feed(), usualPlaces.alone / 4);
});

test.serial('with several accounts in line none has more than its share before the others have theirs', async (t) => {
  for (const account of accounts.slice(0, 4)) await fill(account, 20);
  const worker = aWorker();
  await worker.feed();
  const of = accountsOf(worker.nudged);
  t.is(of.length, usualPlaces.window);
  for (const account of accounts.slice(0, 4)) t.is(of.filter((id) => id === account).length, usualPlaces.share);
});

test.serial('while single writes are worked on the lane gets few places, and its usual ones after that', async (t) => {
  await fill(first, 40);
  await fill(second, 40);
  const worker = aWorker();
  worker.setOthersTurn(true);
  await worker.feed();
  const of = accountsOf(worker.take());
  t.is(of.length, courteousPlaces.window);
  t.deepEqual([...new Set(of)].toSorted(), [first, second]);
  worker.setOthersTurn(false);
  await worker.feed();
  t.is(worker.take().length, usualPlaces.window - courteousPlaces.window);
  // What is under way is not called back.
  worker.setOthersTurn(true);
  await worker.feed();
  t.is(worker.take().length, 0);
});

test.serial('the place of an item that is settled, waits or is gone goes to the next', async (t) => {
  await fill(first, 40);
  const worker = aWorker();
  await worker.feed();
  const [settled, waiting, gone] = worker.take();
  if (settled === undefined || waiting === undefined || gone === undefined) return t.fail();
  await worker.settle(settled.itemId);
  await changeItem(worker.items, waiting.itemId, (item) => ({
    ...item,
    processing: { ...item.processing, waitingFor: 'marketplace_reconnection' },
  }));
  await store.connection.collection<{ _id: string }>('items').deleteOne({ _id: gone.itemId });
  await worker.feed();
  t.is(worker.nudged.length, 3);
});

test.serial('an item that waited before keeps its place until its workflow has looked at it again', async (t) => {
  const { processing } = anItem();
  await fill(first, 20, { processing: { ...processing, waitingFor: 'marketplace_reconnection' } });
  const worker = aWorker();
  await worker.feed();
  await worker.feed();
  t.is(worker.nudged.length, usualPlaces.alone);
});

test.serial(
  'an item that its images keep gives its place away after a while, one that nobody looked at later',
  async (t) => {
    await fill(first, 40);
    const worker = aWorker();
    await worker.feed();
    const [slow] = worker.take();
    if (slow === undefined) return t.fail();
    await changeItem(worker.items, slow.itemId, (item) => ({
      ...item,
      processing: { ...item.processing, stage: 'images' },
    }));
    await worker.feed();
    t.is(worker.take().length, 0);
    worker.pass(3_000);
    await worker.feed();
    t.is(worker.take().length, 1);
    worker.pass(27_000);
    await worker.feed();
    t.is(worker.take().length, usualPlaces.alone - 1);
  },
);

// specification: fair-across-members-single
test.serial('what a worker had taken when it died is nudged by the sweep of another', async (t) => {
  await fill(first, 5);
  await aWorker().feed();
  const other = aWorker();
  await other.feed();
  t.is(other.nudged.length, 0);
  other.pass(11_000);
  t.is(await other.sweep(), 5);
  t.is(other.nudged.length, 5);
});

test.serial('two workers never take the same item', async (t) => {
  await fill(first, 20);
  await fill(second, 20);
  const [one, other] = [aWorker(), aWorker()];
  await Promise.all([one.feed(), other.feed()]);
  const ids = [...one.nudged, ...other.nudged].map((item) => item.itemId);
  t.is(ids.length, 2 * usualPlaces.window);
  t.is(new Set(ids).size, ids.length);
});

test.serial('while the engine is away everything keeps its place in the lane', async (t) => {
  await fill(first, 3);
  const worker = aWorker();
  worker.setEngineAway(true);
  await worker.feed();
  t.is(await worker.inLane(), 3);
  worker.setEngineAway(false);
  await worker.feed();
  t.deepEqual(
    worker.take().map(({ externalId }) => externalId),
    ['i0', 'i1', 'i2'],
  );
});

test.serial('an item of the lane that is written singly leaves it at once', async (t) => {
  await fill(first, 1);
  const worker = aWorker();
  const item = await worker.items.findCurrent(first, 'i0');
  if (item === null) return t.fail();
  await worker.settle(item.id);
  t.is(await worker.inLane(), 0);
  await worker.feed();
  t.is(worker.nudged.length, 0);
});
