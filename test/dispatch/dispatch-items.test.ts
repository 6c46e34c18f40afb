import { randomUUID } from 'node:crypto';
import test from 'ava';
import { MongoNetworkError } from 'mongodb';
import { dueFrom } from '../../core/due.ts';
import { accountId, itemId, type AccountId } from '../../core/ids.ts';
import { settle } from '../../core/items/owed-work.ts';
import { itemWithPrice, deletedItem } from '../../core/items/change-item.ts';
import type { Item } from '../../core/items/item.ts';
import { createItem } from '../../core/items/upsert-item.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { createItemStore, itemCollection } from '../../store/items/items.ts';
import { createOrderStore } from '../../store/orders/orders.ts';
import { advanceItem } from '../../usecases/items/advance-item.ts';
import { aGate } from '../support/a-gate.ts';
import { aCall, aCaller, aLiveItem, anItem, emptied, noon } from '../support/an-item.ts';
import { anItemRequest } from '../support/an-item-request.ts';
import { closeTestStore, openTestStore } from '../support/open-test-store.ts';
import { plainSettler } from '../support/plain-settler.ts';
import { until } from '../support/until.ts';
import { addItems, aWorker, dueOf } from './support/item-turns.ts';

let store: StoreConnection;
test.before(async () => {
  store = await openTestStore();
});
test.after.always(() => closeTestStore(store));

const anAccount = (): AccountId => accountId(randomUUID());

/** Turns until nothing is left to be taken. */
async function takeAll({ turns }: Pick<ReturnType<typeof aWorker>, 'turns'>, ...accounts: readonly AccountId[]) {
  for (const account of accounts) turns.add(account);
  await until('all turns have ended', async () => turns.isIdle);
}

const eventsOf = (account: AccountId) => store.connection.collection('events').find({ accountId: account }).toArray();

async function insert(account: AccountId, item: Item): Promise<Item> {
  const own = { ...item, accountId: account, id: itemId(randomUUID()), due: dueFrom('worker', noon) };
  await createItemStore(store).insert(own);
  return own;
}

/** As their callers wrote them: each has its first event to tell. */
const createNewItems = (account: AccountId, count: number): Item[] =>
  Array.from({ length: count }, (_, n) =>
    createItem({
      ...{ id: itemId(randomUUID()), accountId: account, externalId: `A${n}`, sequenceBefore: 0 },
      ...{ request: anItemRequest(), actor: aCaller, now: noon },
    }),
  );

async function read({ id }: Pick<Item, 'id'>): Promise<Item> {
  const item = await createItemStore(store).findById(id);
  if (item === null) throw new Error('there is an item');
  return item;
}

// specification: what-owes-nothing-but
test('what is short is settled in place, the rest is left to workflows, once', async (t) => {
  const account = anAccount();
  await addItems(store, account, { count: 3 });
  await addItems(store, account, { count: 2, kind: 'long' });
  const worker = aWorker(store);
  await takeAll(worker, account);
  t.deepEqual(worker.started.map(({ externalId }) => externalId).toSorted(), ['long0', 'long1']);
  t.deepEqual(await dueOf(store, account), { workflow: 2 });
  await takeAll(worker, account);
  t.is(worker.started.length, 2);
});

test('an account’s items are taken fifty at a time, until it has none that is due', async (t) => {
  const [account, other] = [anAccount(), anAccount()];
  await addItems(store, account, { count: 120 });
  await addItems(store, other, { count: 1 });
  const worker = aWorker(store);
  await takeAll(worker, account, other);
  t.deepEqual(await dueOf(store, account), {});
  t.deepEqual(await dueOf(store, other), {});
});

// specification: an-engine-that-is
test('a row that can’t be read is left to its workflow, and keeps none of the others', async (t) => {
  const account = anAccount();
  const [, damaged] = await addItems(store, account, { count: 3 });
  const change = { $set: { 'extendedAttributes.domain': 'of a newer version' } } as never;
  await itemCollection(store).updateOne({ _id: damaged?.id ?? '' }, change);
  const worker = aWorker(store);
  await takeAll(worker, account);
  t.deepEqual(
    worker.started.map(({ _id }) => _id),
    [damaged?.id],
  );
  t.deepEqual(await dueOf(store, account), { workflow: 1 });
});

// specification: an-engine-that-is
test('an account whose rows are locked leaves turns to the others', async (t) => {
  const [locked, busy] = [anAccount(), anAccount()];
  const { opened: unlocked, open: unlock } = aGate();
  await addItems(store, locked, { count: 40 });
  const worker = aWorker(store, (settleIt) => async (settlement) => {
    if (settlement.previous.accountId === locked) await unlocked;
    return settleIt(settlement);
  });
  worker.turns.add(locked);
  await addItems(store, busy, { count: 70 });
  worker.turns.add(busy);
  await until('all of the others are settled', async () => (await dueOf(store, busy)).worker === undefined);
  t.deepEqual(await dueOf(store, locked), { worker: 40 });
  unlock();
  await takeAll(worker);
  t.deepEqual(await dueOf(store, locked), {});
});

// specification: an-engine-that-is
test('an account that shares a turn with one whose rows are locked has its next one soon', async (t) => {
  const [locked, quiet] = [anAccount(), anAccount()];
  const { opened: unlocked, open: unlock } = aGate();
  await addItems(store, locked, { count: 1 });
  await addItems(store, quiet, { count: 1 });
  const worker = aWorker(store, (settleIt) => async (settlement) => {
    if (settlement.previous.accountId === locked) await unlocked;
    return settleIt(settlement);
  });
  t.teardown(unlock);
  // Both turns of the process are under way, so the next one has both accounts.
  const others = [anAccount(), anAccount()];
  for (const account of [...others, locked, quiet]) worker.turns.add(account);
  await until('the first is settled', async () => (await dueOf(store, quiet)).worker === undefined);
  await addItems(store, quiet, { count: 1, kind: 'long' });
  worker.turns.add(quiet);
  await until('the next is taken', async () => worker.started.length === 1, 10_000);
  t.deepEqual(await dueOf(store, locked), { worker: 1 });
});

test('a price that an auction shows already needs no workflow', async (t) => {
  const account = anAccount();
  await insert(account, itemWithPrice(emptied(settle(aLiveItem(), noon)), 45_040, aCall(0)));
  const worker = aWorker(store);
  await takeAll(worker, account);
  t.is(worker.started.length, 0);
  t.deepEqual(await dueOf(store, account), {});
});

test('an item that a workflow was left with goes to that, until it came to rest there untroubled', async (t) => {
  const account = anAccount();
  const [made] = await addItems(store, account, { count: 1, kind: 'long' });
  if (made === undefined) return t.fail();
  const items = createItemStore(store);
  const now = () => noon;
  const byWorkflow = () =>
    advanceItem({ items, orders: createOrderStore(store), settle: plainSettler(store, now), now }, made.id);
  const write = async (change: (item: Item) => Item): Promise<void> => {
    const found = await read(made);
    t.truthy(await items.replace(found, change(found)));
  };
  t.like(await byWorkflow(), { kind: 'prepare-listing' });
  await write((item) => deletedItem(item, aCall(0)));
  const worker = aWorker(store);
  await takeAll(worker, account);
  t.is(worker.started.length, 1, 'the workflow may be waiting with it');

  t.like(await byWorkflow(), { kind: 'settled' });
  t.false((await read(made)).hasRun);
  await write((item) => ({ ...item, revision: item.revision + 1, due: dueFrom('worker', noon) }));
  await takeAll(worker, account);
  t.is(worker.started.length, 1);
  t.deepEqual(await dueOf(store, account), {});
});

test('an item at rest whose date was set by a late start just loses the date', async (t) => {
  const account = anAccount();
  const item = await insert(account, emptied(settle(anItem(), noon)));
  const worker = aWorker(store);
  await takeAll(worker, account);
  t.deepEqual(await dueOf(store, account), {});
  t.is((await read(item)).revision, item.revision);
  t.is(worker.started.length, 0);
});

// specification: several-workers-a-database
test('of two workers that take the same account each item is settled once, with one event', async (t) => {
  const account = anAccount();
  const items = createItemStore(store);
  const writes = createNewItems(account, 40);
  await Promise.all(writes.map((item) => items.insert(item)));
  const workers = [aWorker(store), aWorker(store)];
  await Promise.all(workers.map((worker) => takeAll(worker, account)));
  await until('all are settled', async () => {
    await Promise.all(workers.map((worker) => takeAll(worker, account)));
    return (await dueOf(store, account)).worker === undefined;
  });
  const numbers = (await eventsOf(account)).map((event) => event['number'] as number);
  t.deepEqual(
    numbers.toSorted((one, other) => one - other),
    Array.from({ length: 40 }, (_, n) => n + 1),
  );
});

// specification: several-workers-a-database
test('what can’t be stored for a reason of its own goes on as a workflow, where operators see why', async (t) => {
  const account = anAccount();
  const [failing] = await addItems(store, account, { count: 4 });
  const worker = aWorker(store, (settleIt) => async (settlement) => {
    if (settlement.previous.id === failing?.id) throw new Error('not stored');
    return settleIt(settlement);
  });
  await takeAll(worker, account);
  t.deepEqual(
    worker.started.map(({ _id }) => _id),
    [failing?.id],
  );
  t.deepEqual(await dueOf(store, account), { workflow: 1 });
});

// specification: several-workers-a-database
test('while the database is away a turn is repeated, and no workflow is started', async (t) => {
  const account = anAccount();
  await addItems(store, account, { count: 3 });
  let calls = 0;
  const worker = aWorker(store, (settleIt) => (settlement) => {
    calls += 1;
    return calls === 1 ? Promise.reject(new MongoNetworkError('away')) : settleIt(settlement);
  });
  worker.turns.add(account);
  await until('they are settled', async () => (await dueOf(store, account)).worker === undefined);
  t.is(worker.started.length, 0);
  t.true(calls >= 4);
});

// specification: several-workers-a-database
test('a write that comes during a turn is not settled unseen', async (t) => {
  const account = anAccount();
  const [made] = await addItems(store, account, { count: 1 });
  const items = createItemStore(store);
  let isFirst = true;
  const worker = aWorker(store, (settleIt) => async (settlement) => {
    if (isFirst) {
      isFirst = false;
      const { previous } = settlement;
      const written = { ...previous, revision: previous.revision + 1, wantedPublication: 1 };
      await items.replace(previous, { ...written, due: dueFrom('worker', noon) });
    }
    return settleIt(settlement);
  });
  await takeAll(worker, account);
  t.is(worker.started.length, 1, 'it is to be published now');
  t.deepEqual((await read({ id: made?.id ?? itemId('') })).due?.by, 'workflow');
});

test('single writes make bulk work give way', async (t) => {
  const account = anAccount();
  const worker = aWorker(store);
  await takeAll(worker, account);
  t.false(worker.throttle.isPressed());
  await addItems(store, account, { count: 1 });
  await takeAll(worker, account);
  t.true(worker.throttle.isPressed());
});
