import { randomUUID } from 'node:crypto';
import test from 'ava';
import { dueFrom } from '../../core/due.ts';
import { accountId, type AccountId, type ItemId } from '../../core/ids.ts';
import { settle } from '../../core/items/owed-work.ts';
import type { Item } from '../../core/items/item.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { itemCollection } from '../../store/items/item-collection.ts';
import { rewriteItem } from '../../usecases/items/write-item.ts';
import { noon } from '../support/an-item.ts';
import { closeTestStore, openTestStore } from '../support/open-test-store.ts';
import { until } from '../support/until.ts';
import { addItems, aWorker, type Started } from './support/item-turns.ts';

let store: StoreConnection;
test.before(async () => {
  store = await openTestStore();
});
test.after.always(() => closeTestStore(store));

/** Ids whose order is that of the letters, whatever the rest. */
const anAccount = (letter: string): AccountId => accountId(`${letter}${randomUUID().slice(1)}`);

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
  await addItems(store, first, 60);
  await addItems(store, second, 3);
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
  await addItems(store, first, 120);
  for (const account of others) await addItems(store, account, 8);
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

test('the place of an item that is settled, waits or is gone goes to the next, without a ring', async (t) => {
  const account = anAccount('a');
  await addItems(store, account, 20);
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

test('of two workers that take the same account each item is started', async (t) => {
  const account = anAccount('a');
  await addItems(store, account, 20);
  const [one, other] = [aWorker(store), aWorker(store)];
  await feed(one, account);
  await feed(other, account);
  const ids = [...one.started, ...other.started].map(({ _id }) => _id);
  t.is(new Set(ids).size, 20);
});
