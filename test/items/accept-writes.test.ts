import { randomUUID } from 'node:crypto';
import test from 'ava';
import { until } from '../support/until.ts';
import { mongo } from 'mongoose';
import { accountId, itemId, orderId, type AccountId } from '../../features/rules/ids.ts';
import { recordHammerSale } from '../../features/listings/rules/auction-end.ts';
import { deletedItem } from '../../features/items/rules/delete-item.ts';
import type { ItemContent } from '../../features/items/rules/item-content.ts';
import type { Item } from '../../features/items/rules/item.ts';
import { theOperator } from '../../features/items/rules/journal.ts';
import { createItem } from '../../features/items/rules/upsert-item.ts';
import { isStoreUnavailable, type StoreConnection } from '../../platform/database/connection.ts';
import { waitingDeliveries } from '../../features/webhooks/store/make-deliveries.ts';
import { createAcceptor } from '../../features/items/store/accept-writes.ts';
import { itemCollection } from '../../features/items/store/item-collection.ts';
import { createItemStore, type ItemStore } from '../../features/items/store/items.ts';
import { anItemRequest } from '../support/an-item-request.ts';
import { aroundStore } from '../support/around-store.ts';
import { aCaller, aLiveItem, anAccountId, anAd, anItem, noon } from '../support/an-item.ts';
import { withDatabase } from '../support/with-database.ts';
import { isHeld } from '../../features/items/rules/owed-work.ts';

let store: StoreConnection;
withDatabase(test, (opened) => (store = opened));

let count = 0;
/** Of an external id of its own, unless the test says otherwise. */
function aNewItem(change: Partial<Item> = {}): Item {
  count += 1;
  const id = itemId(`10000000-0000-4000-8000-${String(count).padStart(12, '0')}`);
  return anItem({ id, externalId: `G${count}`, ...change });
}

const accepted = { isAccepted: true } as const;

async function stored(items: ItemStore, howMany: number): Promise<Item[]> {
  const made = Array.from({ length: howMany }, () => aNewItem());
  const inserted = await Promise.all(made.map((item) => items.insert(item, accepted)));
  return inserted.map((item) => {
    if (item === null) throw new Error('not inserted');
    return item;
  });
}

/** The store of a process whose writes are noted by name. */
function watchedStore(): { readonly on: StoreConnection; readonly steps: string[] } {
  const steps: string[] = [];
  return { on: aroundStore(store, (step, take) => (steps.push(step), take())), steps };
}

const commitsOf = (steps: readonly string[]): number => steps.filter((step) => step === 'commit').length;

/** An account whose endpoints get each of its events. */
async function anAccountWithEndpoints(count: number): Promise<AccountId> {
  const account = accountId(randomUUID());
  const endpoints = Array.from({ length: count }, (_, n) => ({
    _id: `${account}-${n}`,
    accountId: account,
    scope: 'self',
    active: true,
    eventTypes: [],
    createdAt: noon,
  }));
  await store.connection.collection<{ _id: string }>('webhook_endpoints').insertMany(endpoints);
  return account;
}

/** As its caller pushes it: with an event and an entry of history. */
const aPushed = (account: AccountId, externalId: string, content: Partial<ItemContent> = {}): Item =>
  createItem({
    id: itemId(randomUUID()),
    accountId: account,
    externalId,
    sequenceBefore: 0,
    request: anItemRequest(content),
    actor: aCaller,
    now: noon,
  });

/** How many of each are stored of the account. */
async function storedOf(account: AccountId): Promise<Record<string, number>> {
  const names = ['items', 'events', 'deliveries', 'journal'];
  const counts = await Promise.all(
    names.map((name) => store.connection.collection(name).countDocuments({ accountId: account })),
  );
  return Object.fromEntries(names.map((name, index) => [name, counts[index] ?? 0]));
}

// specification: 12-event-and-deliveries, what-owes-nothing-but
test('fifty pushes of new items at once are one transaction, each with its event, history and delivery', async (t) => {
  const { on, steps } = watchedStore();
  const items = createItemStore(on);
  const accounts = await Promise.all([1, 1].map(anAccountWithEndpoints));
  const made = accounts.flatMap((account) => Array.from({ length: 25 }, (_, n) => aPushed(account, `A${n}`)));
  const inserted = await Promise.all(made.map((item) => items.insert(item, accepted)));
  t.true(inserted.every((item) => item !== null && item.startAt === null && item.settledRevision === item.revision));
  t.is(commitsOf(steps), 1);
  for (const account of accounts)
    t.deepEqual(await storedOf(account), { items: 25, events: 25, deliveries: 25, journal: 25 });
  const found = await Promise.all(made.map(({ accountId: of, externalId }) => items.findCurrent(of, externalId)));
  t.deepEqual(
    found.map((item) => item?.id),
    made.map(({ id }) => id),
  );
  t.true(found.every((item) => item?.acceptedAt instanceof Date));
});

test('a row of an item holds nothing that goes to other collections', async (t) => {
  const account = await anAccountWithEndpoints(1);
  await createItemStore(store).insert(aPushed(account, 'A1'), accepted);
  const row = await store.connection.collection('items').findOne({ accountId: account });
  for (const field of ['outbox', 'journal', 'pendingOrders']) t.false(field in (row ?? {}), field);
});

test('a transaction has at most a thousand rows, however many targets its events have', async (t) => {
  const account = await anAccountWithEndpoints(41);
  const { on, steps } = watchedStore();
  const items = createItemStore(on);
  const made = Array.from({ length: 25 }, (_, n) => aPushed(account, `A${n}`));
  const inserted = await Promise.all(made.map((item) => items.insert(item, accepted)));
  t.false(inserted.includes(null));
  t.deepEqual(await storedOf(account), { items: 25, events: 25, deliveries: 1_025, journal: 25 });
  t.true(commitsOf(steps) >= 2 && commitsOf(steps) <= 3, `${commitsOf(steps)} transactions`);
});

test('of one item no event is stored as earlier than the one before, whatever the clock says', async (t) => {
  const account = await anAccountWithEndpoints(1);
  const clock = { ms: 60_000 };
  const now = (): Date => new Date(store.clock.now().getTime() + clock.ms);
  const items = createItemStore({ ...store, clock: { now } } as StoreConnection);
  const item = await items.insert(aPushed(account, 'A1'), accepted);
  clock.ms = 0;
  const read = item && (await items.findById(item));
  if (!read) return t.fail();
  t.truthy(await items.replace(read, deletedItem(read, { now: noon, actor: theOperator }), accepted));
  const events = await store.connection
    .collection('events')
    .find({ accountId: account })
    .sort({ sequence: 1 })
    .toArray();
  t.deepEqual(
    events.map(({ type }) => type as unknown),
    ['item.created', 'item.changed'],
  );
  t.deepEqual(events[1]?.['storedAt'], events[0]?.['storedAt']);
});

test('an account that has met a conflict shares no transaction for a while, and the others go on together', async (t) => {
  const [locked, other] = await Promise.all([1, 1].map(anAccountWithEndpoints));
  if (locked === undefined || other === undefined) return t.fail();
  const { on, steps } = watchedStore();
  const items = createItemStore(on);
  const item = await items.insert(aPushed(locked, 'A1'), accepted);
  if (item === null) return t.fail();
  const rename = { ...item, content: { ...item.content, title: 'Ny' } };
  let renaming: Promise<Item | null> = Promise.resolve(null);
  await withLocked([item.id], async () => {
    renaming = items.replace(item, rename, accepted);
    t.truthy(await items.insert(aPushed(other, 'A1'), accepted));
    await until('it has met the lock', async () => steps.filter((step) => step === 'bulkWrite items').length >= 4);
    steps.length = 0;
    await Promise.all([locked, other].map((account) => items.insert(aPushed(account, 'A2'), accepted)));
    t.is(commitsOf(steps), 2);
  });
  t.is((await renaming)?.content.title, 'Ny');
});

test('an item whose rows stay locked is answered with an error within seconds, not for ever', async (t) => {
  const items = createItemStore(store);
  const [item = aNewItem()] = await stored(items, 1);
  await withLocked([item.id], async () => {
    const error = await t.throwsAsync(items.replace(item, { ...item, revision: 2 }, accepted));
    t.true(isStoreUnavailable(error));
  });
});

test('after its commit a process starts the workflow of what needs one: of no other write, and of no step of a workflow', async (t) => {
  const account = await anAccountWithEndpoints(1);
  const started: string[] = [];
  const start = ({ externalId }: Item): void => void started.push(externalId);
  const { accept } = createAcceptor({ store, plan: waitingDeliveries, start });
  const long = aPushed(account, 'long', { imageUrls: ['https://images.example/1.jpg'] });
  const [item] = await Promise.all([long, aPushed(account, 'short')].map((next) => accept({ previous: null, next })));
  t.deepEqual(started, ['long']);
  if (!item) return t.fail();
  const working = await accept({ previous: item, next: { ...item, requestId: 'step' } });
  t.true(working !== null && isHeld(working));
  t.deepEqual(started, ['long']);
  const gone =
    working && (await accept({ previous: working, next: deletedItem(working, { now: noon, actor: theOperator }) }));
  t.true(gone !== null && isHeld(gone), 'the workflow that waits has to end');
  t.deepEqual(started, ['long', 'long']);
});

test('while the database is away all fail at once, and nothing is stored', async (t) => {
  const account = await anAccountWithEndpoints(1);
  let writes = 0;
  const away = aroundStore(store, () => {
    writes += 1;
    return Promise.reject(new mongo.MongoNetworkError('away'));
  });
  const items = createItemStore(away);
  const made = Array.from({ length: 3 }, (_, n) => aPushed(account, `A${n}`));
  const ends = await Promise.allSettled(made.map((item) => items.insert(item, accepted)));
  t.true(ends.every((end) => end.status === 'rejected' && end.reason.message === 'away'));
  t.is(writes, 1, 'not once for each item');
  t.deepEqual(await storedOf(account), { items: 0, events: 0, deliveries: 0, journal: 0 });
});

test('a transaction whose process dies before its commit leaves nothing', async (t) => {
  const account = await anAccountWithEndpoints(1);
  const dying = aroundStore(store, (step, take) => (step === 'commit' ? Promise.reject(new Error('died')) : take()));
  const { accept } = createAcceptor({
    store: dying,
    plan: waitingDeliveries,
    start: () => undefined,
  });
  await t.throwsAsync(accept({ previous: null, next: aPushed(account, 'A1') }), { message: 'died' });
  t.deepEqual(await storedOf(account), { items: 0, events: 0, deliveries: 0, journal: 0 });
});

test('of writers of one external id and of one version exactly one wins, and those beside them are not touched', async (t) => {
  const items = createItemStore(store);
  const [contested = aNewItem(), aside = aNewItem()] = await stored(items, 2);
  const externalId = 'wanted by many';
  const rivals = Array.from({ length: 10 }, () => aNewItem({ externalId }));
  const title = (item: Item, to: string): Item => ({ ...item, content: { ...item.content, title: to } });
  const [inserted, replaced, calm] = await Promise.all([
    Promise.all(rivals.map((item) => items.insert(item, accepted))),
    Promise.all(rivals.map((_, n) => items.replace(contested, title(contested, `T${n}`), accepted))),
    items.replace(aside, title(aside, 'calm'), accepted),
  ]);
  t.is(inserted.filter(Boolean).length, 1);
  const won = replaced.filter((item) => item !== null);
  t.is(won.length, 1);
  t.is((await items.findById(contested))?.content.title, won[0]?.content.title);
  t.is((await items.findById(aside))?.content.title, calm?.content.title);
  t.is(calm?.content.title, 'calm');
  t.is((await items.findCurrent(anAccountId, externalId))?.id, inserted.find((item) => item !== null)?.id);
});

test('a write that breaks the rules, and one that can’t be encoded, fail alone', async (t) => {
  const items = createItemStore(store);
  const [gone = aNewItem(), huge = aNewItem(), calm = aNewItem()] = await stored(items, 3);
  const raised = (item: Item, change: Partial<Item>): Promise<Item | null> =>
    items.replace(item, { ...item, ...change }, accepted);
  const archived: Item = { ...gone, serviceStatus: 'archived' };
  const description = 'x'.repeat(17 * 1024 * 1024);
  const [first, second, third, fourth] = await Promise.allSettled([
    raised(archived, { serviceStatus: 'active' }),
    raised(huge, { content: { ...huge.content, description } }),
    raised(calm, { revision: calm.revision + 1 }),
    items.insert(aNewItem(), accepted),
  ]);
  t.like(first, { status: 'rejected', reason: { name: 'IllegalTransition' } });
  t.is(second?.status, 'rejected');
  t.like(third, { status: 'fulfilled', value: { revision: calm.revision + 1 } });
  t.is(fourth?.status, 'fulfilled');
  t.is((await items.findById(huge))?.version, huge.version);
});

test('a row that can’t be read fails who asks for it, and nobody beside', async (t) => {
  const items = createItemStore(store);
  const [damaged = aNewItem(), sound = aNewItem()] = await stored(items, 2);
  await itemCollection(store).updateOne({ _id: damaged.id }, { $unset: { extendedAttributes: 1 } });
  const [bad, good] = await Promise.allSettled(
    [damaged, sound].map(({ externalId }) => items.findCurrent(anAccountId, externalId)),
  );
  t.is(bad?.status, 'rejected');
  t.like(good, { status: 'fulfilled', value: { id: sound.id } });
});

test('pushes of two accounts that call their items alike never meet', async (t) => {
  const items = createItemStore(store);
  const other = accountId('a0000000-0000-4000-8000-000000000002');
  const [own, theirs] = [aNewItem({ externalId: 'alike' }), aNewItem({ externalId: 'alike', accountId: other })];
  t.false((await Promise.all([own, theirs].map((item) => items.insert(item, accepted)))).includes(null));
  const found = await Promise.all([items.findCurrent(anAccountId, 'alike'), items.findCurrent(other, 'alike')]);
  t.deepEqual(
    found.map((item) => item?.id),
    [own.id, theirs.id],
  );
  const third = accountId('a0000000-0000-4000-8000-000000000003');
  t.is(await items.findCurrent(third, 'alike'), null);
});

test('each of many pushes learns the newest item that had its external id before', async (t) => {
  const items = createItemStore(store);
  const former = (externalId: string, sequence: number): Item => aNewItem({ externalId, sequence });
  const rows = [former('often', 3), former('often', 7), former('once', 2), former('current', 9)];
  for (const item of rows) {
    t.truthy(await items.insert(item));
    if (item.externalId !== 'current')
      await itemCollection(store).updateOne({ _id: item.id }, { $set: { current: false } });
  }
  const ids = ['often', 'once', 'current', 'never'];
  const together = await Promise.all(ids.map((id) => items.findPredecessor(anAccountId, id)));
  const sequences = [7, 2, undefined, undefined];
  t.deepEqual(
    together.map((found) => found?.sequence),
    sequences,
  );
  for (const [index, id] of ids.entries())
    t.is((await items.findPredecessor(anAccountId, id))?.sequence, sequences[index], id);
});

/** A transaction holds the rows until `work` has ended, as that of a process that died does for seconds. */
async function withLocked(ids: readonly string[], work: () => Promise<void>): Promise<void> {
  const session = await store.connection.startSession();
  session.startTransaction();
  try {
    await itemCollection(store).updateMany(
      { _id: { $in: [...ids] } },
      { $set: { requestId: 'of a transaction' } },
      { session },
    );
    await work();
  } finally {
    await session.abortTransaction();
    await session.endSession();
  }
}

// specification: an-engine-that-is
test('a row that is locked keeps nobody else waiting: neither those beside it nor those that come later', async (t) => {
  const items = createItemStore(store);
  const [first = aNewItem(), second = aNewItem(), aside = aNewItem()] = await stored(items, 3);
  const retitled = (item: Item): Promise<Item | null> =>
    items.replace(item, { ...item, content: { ...item.content, title: 'waited' } }, accepted);
  let waiting: Promise<Item | null>[] = [];
  await withLocked([first.id, second.id], async () => {
    // In one bulk with the locked row; then one that occupies the second place, and one behind all of them.
    waiting = [retitled(first), retitled(second)];
    t.is((await retitled(aside))?.content.title, 'waited');
    t.truthy(await items.insert(aNewItem({ accountId: accountId('a0000000-0000-4000-8000-00000000000f') }), accepted));
    for (const item of [first, second]) t.not((await items.findById(item))?.content.title, 'waited');
  });
  for (const item of await Promise.all(waiting)) t.is(item?.content.title, 'waited');
});

test('who may write no more when its turn has come writes nothing, and those beside it do', async (t) => {
  const items = createItemStore(store);
  const [first = aNewItem(), revoked = aNewItem(), last = aNewItem()] = await stored(items, 3);
  const asked: string[] = [];
  const raise = (item: Item): Promise<Item | null> => {
    const confirm = (): Promise<void> => {
      asked.push(item.externalId);
      return item === revoked ? Promise.reject(new Error('revoked')) : Promise.resolve();
    };
    return items.replace(item, { ...item, revision: 2 }, { ...accepted, confirm });
  };
  const outcomes = await Promise.allSettled([first, revoked, last].map(raise));
  t.deepEqual(
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value?.revision : outcome.reason.message)),
    [2, 'revoked', 2],
  );
  await t.throwsAsync(raise(revoked), { message: 'revoked' });
  t.is((await items.findById(revoked))?.revision, 1);
  t.deepEqual(
    asked,
    [first, revoked, last, revoked].map(({ externalId }) => externalId),
  );
});

test('an external id that was deleted again and again hides none of those asked beside it', async (t) => {
  const items = createItemStore(store);
  const rows = Array.from({ length: 60 }, (_, n) => aNewItem({ externalId: 'again', sequence: n + 1 }));
  rows.push(aNewItem({ externalId: 'then', sequence: 5 }));
  for (const item of rows) {
    t.truthy(await items.insert(item));
    await itemCollection(store).updateOne({ _id: item.id }, { $set: { current: false } });
  }
  const found = await Promise.all(['again', 'then'].map((id) => items.findPredecessor(anAccountId, id)));
  t.deepEqual(
    found.map((one) => one?.sequence),
    [60, 5],
  );
});

test("a sale whose order id is another account's is an error, and sells nothing", async (t) => {
  const items = createItemStore(store);
  const sale = { ...anAd, orderId: orderId(`ord_${randomUUID()}`), amountOre: 72_500, feeBps: 500, soldAt: noon };
  const sell = async (owner: AccountId): Promise<Item> => {
    const item = await items.insert(aNewItem({ ...aLiveItem(), id: itemId(randomUUID()), accountId: owner }), accepted);
    if (item === null) throw new Error('not inserted');
    await items.replace(item, recordHammerSale(item, { ...sale, isPaid: false }, noon));
    return item;
  };
  await sell(accountId(randomUUID()));
  const other = accountId(randomUUID());
  await t.throwsAsync(sell(other), { message: /another account's order/ });
  const [left] = await itemCollection(store).find({ accountId: other }).toArray();
  t.like(left, { serviceStatus: 'active' });
});
