import { randomUUID } from 'node:crypto';
import test from 'ava';
import { MongoNetworkError } from 'mongodb';
import { dueFrom } from '../../core/due.ts';
import { accountId, type AccountId, type ItemId } from '../../core/ids.ts';
import { settle } from '../../core/items/owed-work.ts';
import type { Item } from '../../core/items/item.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { itemCollection } from '../../store/items/items.ts';
import { rewriteItem } from '../../usecases/items/write-item.ts';
import { noon } from '../support/an-item.ts';
import { closeTestStore, openTestStore } from '../support/open-test-store.ts';
import { until } from '../support/until.ts';
import { addItems, aWorker, dueOf, type Started } from './support/item-turns.ts';

let store: StoreConnection;
test.before(async () => {
  store = await openTestStore();
});
test.after.always(() => closeTestStore(store));

/** Ids whose order is that of the letters, whatever the rest. */
const anAccount = (letter: string): AccountId => accountId(`${letter}${randomUUID().slice(1)}`);
const bulk = (kind: 'short' | 'long', count: number) => ({ kind, count, by: 'backlog' }) as const;

type Worker = ReturnType<typeof aWorker>;

/** Turns until there is no place left, or nothing to be taken. */
async function feed({ backlog }: Worker, ...accounts: readonly AccountId[]): Promise<void> {
  for (const account of accounts) backlog.add(account);
  await until('all turns have ended', async () => backlog.isIdle);
}

const startedOf = ({ started }: Worker, account: AccountId): Started[] =>
  started.filter((row) => row.accountId === account);

const change = ({ items, now }: Worker, id: ItemId, to: (item: Item) => Partial<Item>): Promise<unknown> =>
  rewriteItem(items, id, (item) => ({ ...settle(item, now()), ...to(item) }));

// specification: fair-across-members-single
test('bulk work that needs a workflow has few at once, the oldest first, and leaves places for an account that comes later', async (t) => {
  const [first, second] = [anAccount('a'), anAccount('b')];
  await addItems(store, first, bulk('long', 60));
  await addItems(store, second, bulk('long', 3));
  const worker = aWorker(store);
  await feed(worker, first);
  t.deepEqual(
    worker.started.map(({ externalId }) => externalId),
    Array.from({ length: 12 }, (_, n) => `long${n}`),
  );
  t.true(worker.started.every(({ isBacklog }) => isBacklog));
  await feed(worker, first);
  t.is(worker.started.length, 12);
  await feed(worker, second);
  t.is(startedOf(worker, second).length, 3);
});

// specification: fair-across-members-single
test('however long the queue of one account is, it has no more than its share while others have some', async (t) => {
  const accounts = ['a', 'b', 'c', 'd', 'e'].map(anAccount);
  const [first = anAccount('a'), ...others] = accounts;
  await addItems(store, first, bulk('long', 120));
  for (const account of others) await addItems(store, account, bulk('long', 8));
  const worker = aWorker(store);
  await feed(worker, first);
  await feed(worker, ...accounts);
  const shares = accounts.map((account) => startedOf(worker, account).length);
  t.deepEqual(shares, [12, 4, 0, 0, 0]);
  let ended = 0;
  const areServed = (): boolean => others.every((account) => startedOf(worker, account).length === 8);
  for (let round = 0; !areServed() && round < 10; round += 1) {
    const underWay = worker.started.slice(ended);
    ended = worker.started.length;
    for (const { _id } of underWay) await change(worker, _id, () => ({}));
    const isFull = (): boolean => worker.started.length - ended === 16 || areServed();
    await until('all places are taken', async () => isFull() && worker.backlog.isIdle);
    // Once no other waits the first may have more.
    for (const account of areServed() ? others : accounts)
      t.true(worker.started.slice(ended).filter((row) => row.accountId === account).length <= 4, account);
  }
  t.true(areServed());
  t.true(startedOf(worker, first).length <= 12 + 4 * 4);
});

test('what is short takes no place and needs no workflow, however much of it there is', async (t) => {
  const account = anAccount('a');
  await addItems(store, account, bulk('short', 120));
  await addItems(store, account, bulk('long', 20));
  const worker = aWorker(store);
  await feed(worker, account);
  await until('all of it is settled', async () => {
    const { backlog } = await dueOf(store, account);
    return backlog === 8;
  });
  t.is(worker.started.length, 12);
});

test('while something is urgent bulk work has few places, and its usual ones later', async (t) => {
  const [first, second] = [anAccount('a'), anAccount('b')];
  await addItems(store, first, bulk('long', 20));
  await addItems(store, second, bulk('long', 20));
  const worker = aWorker(store);
  worker.throttle.notice();
  await feed(worker, first, second);
  t.deepEqual([startedOf(worker, first).length, startedOf(worker, second).length], [1, 1]);
  worker.pass(20_000);
  await until('it goes on', async () => worker.started.length === 8);
  await feed(worker, first, second);
  t.is(worker.started.length, 8);
});

test('the place of an item that is settled, waits or is gone goes to the next, without a ring', async (t) => {
  const account = anAccount('a');
  await addItems(store, account, bulk('long', 20));
  const worker = aWorker(store);
  await feed(worker, account);
  const [settled, waiting, gone] = worker.started;
  if (settled === undefined || waiting === undefined || gone === undefined) return t.fail();
  await change(worker, settled._id, () => ({}));
  await change(worker, waiting._id, ({ processing }) => ({
    due: dueFrom('workflow', noon),
    processing: { ...processing, waitingFor: 'marketplace_reconnection' },
  }));
  await itemCollection(store).deleteOne({ _id: gone._id });
  await until('three more are started', async () => worker.started.length === 15);
  await feed(worker, account);
  t.is(worker.started.length, 15);
});

test('an item of the backlog that is written singly leaves it at once', async (t) => {
  const account = anAccount('a');
  const [item] = await addItems(store, account, bulk('long', 1));
  const worker = aWorker(store);
  await change(worker, item?.id ?? ('' as ItemId), () => ({ due: dueFrom('worker', noon) }));
  await feed(worker, account);
  t.is(worker.started.length, 0);
  t.deepEqual(await dueOf(store, account), { worker: 1 });
});

test('of two workers that take the same account none takes an item twice after the other has', async (t) => {
  const account = anAccount('a');
  await addItems(store, account, bulk('long', 20));
  const [one, other] = [aWorker(store), aWorker(store)];
  await feed(one, account);
  await feed(other, account);
  const ids = [...one.started, ...other.started].map(({ _id }) => _id);
  t.is(new Set(ids).size, ids.length);
  t.is(ids.length, 20);
});

test('while the database is away a turn is repeated after a pause, and what it had keeps its place in line', async (t) => {
  const account = anAccount('a');
  await addItems(store, account, bulk('short', 3));
  let calls = 0;
  const worker = aWorker(store, (settleIt) => (settlement) => {
    calls += 1;
    return calls <= 3 ? Promise.reject(new MongoNetworkError('away')) : settleIt(settlement);
  });
  await feed(worker, account);
  t.is(calls, 3);
  t.deepEqual(await dueOf(store, account), { backlog: 3 });
  await until('they are settled', async () => (await dueOf(store, account)).backlog === undefined);
  t.is(worker.started.length, 0);
});
