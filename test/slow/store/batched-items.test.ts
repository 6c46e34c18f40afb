import test from 'ava';
import { accountId, itemId } from '../../../core/ids.ts';
import { itemWithPrice } from '../../../core/items/change-item.ts';
import type { Item } from '../../../core/items/item.ts';
import type { StoreConnection } from '../../../store/database/connection.ts';
import { batchedItems } from '../../../store/items/batched-items.ts';
import { createItemStore, itemCollection, type ItemStore } from '../../../store/items/items.ts';
import { createItemWrites } from '../../support/item-writes.ts';
import { itemTag } from '../../../usecases/items/write-item.ts';
import { anItemRequest } from '../../support/an-item-request.ts';
import { aCall, anAccountId, anItem, noon } from '../../support/an-item.ts';
import { closeTestStore, openTestStore } from '../../support/open-test-store.ts';
import { until } from '../../support/until.ts';

let store: StoreConnection;
test.before(async () => {
  store = await openTestStore();
});
test.after.always(() => closeTestStore(store));

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
  if (inserted.includes(false)) throw new Error('not inserted');
  return made;
}

/** The collection, with its calls noted by name. */
function watched(calls: string[]): ReturnType<typeof itemCollection> {
  const items = itemCollection(store);
  return new Proxy(items, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...parameters: unknown[]): unknown => {
        calls.push(String(name));
        return Reflect.apply(value, target, parameters);
      };
    },
  });
}

test('fifty pushes of new items at once share their round trips, and every one is found', async (t) => {
  const calls: string[] = [];
  const items = batchedItems(watched(calls));
  const made = Array.from({ length: 50 }, () => aNewItem());
  t.deepEqual(await Promise.all(made.map((item) => items.insert(item, accepted))), Array(50).fill(true));
  const found = await Promise.all(made.map(({ externalId }) => items.findCurrent(anAccountId, externalId)));
  t.deepEqual(
    found.map((item) => item?.id),
    made.map(({ id }) => id),
  );
  t.true(found.every((item) => item?.acceptedAt instanceof Date));
  t.deepEqual(calls, ['bulkWrite', 'find']);
});

test('who writes alone sends a write of its own', async (t) => {
  const calls: string[] = [];
  const items = batchedItems(watched(calls));
  const item = aNewItem();
  t.true(await items.insert(item, accepted));
  t.false(await items.insert(aNewItem({ externalId: item.externalId }), accepted));
  t.is((await items.replace(item, item, accepted))?.version, item.version + 1);
  t.is(await items.replace(item, item, accepted), null);
  t.deepEqual(calls, ['updateOne', 'updateOne', 'updateOne', 'updateOne']);
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
  t.is((await items.findById(contested.id))?.content.title, won[0]?.content.title);
  t.is((await items.findById(aside.id))?.content.title, calm?.content.title);
  t.is(calm?.content.title, 'calm');
  t.is((await items.findCurrent(anAccountId, externalId))?.id, rivals[inserted.indexOf(true)]?.id);
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
  t.like(fourth, { status: 'fulfilled', value: true });
  t.is((await items.findById(huge.id))?.version, huge.version);
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
  t.deepEqual(await Promise.all([own, theirs].map((item) => items.insert(item, accepted))), [true, true]);
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
    t.true(await items.insert(item));
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

/** Somebody's transaction holds the rows until `work` has ended, as that of a process that died does for seconds. */
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
    t.true(await items.insert(aNewItem({ accountId: accountId('a0000000-0000-4000-8000-00000000000f') }), accepted));
    for (const { id } of [first, second]) t.not((await items.findById(id))?.content.title, 'waited');
  });
  for (const item of await Promise.all(waiting)) t.is(item?.content.title, 'waited');
});

/** What its row has, as a majority has it. */
const priceOf = async (items: ItemStore, { id }: Item): Promise<number | undefined> =>
  (await items.findById(id))?.content.priceOre;

test('a write is not refused for its own effect: a bulk that a locked row held up had stored it', async (t) => {
  const items = createItemStore(store);
  const [first = aNewItem(), locked = aNewItem()] = await stored(items, 2);
  const writes = createItemWrites({
    ...{ items, ring: () => undefined, now: () => noon },
    confirmCredential: () => Promise.resolve(),
    newItemId: () => aNewItem().id,
  });
  const scope = { accountId: anAccountId, actingAccountId: anAccountId, credential: { kind: 'system' } } as const;
  const request = anItemRequest({ priceOre: 123_400 }, { autoPublish: true });
  const put = (item: Item) =>
    writes.upsert(scope, { externalId: item.externalId, request, precondition: { ifMatch: [itemTag(item)] } });
  let waiting: ReturnType<typeof put>[] = [];
  await withLocked([locked.id], async () => {
    waiting = [put(first), put(locked)];
    t.like(await waiting[0], { outcome: 'updated', revision: 2 });
  });
  t.like(await waiting[1], { outcome: 'updated', revision: 2 });
  t.is((await items.findById(first.id))?.revision, 2);
});

test('what a bulk had stored is its writer’s, whoever has written the item since', async (t) => {
  const items = createItemStore(store);
  const [first = aNewItem(), locked = aNewItem()] = await stored(items, 2);
  const priced = (item: Item, priceOre: number): Promise<Item | null> =>
    items.replace(item, itemWithPrice(item, priceOre, aCall()), accepted);
  await withLocked([locked.id], async () => {
    const waiting = [priced(first, 100), priced(locked, 100)];
    await until('the bulk has stored its first row', async () => (await priceOf(items, first)) === 100);
    for (const step of [accepted, {}]) {
      const read = (await items.findById(first.id)) ?? first;
      t.not(await items.replace(read, itemWithPrice(read, read.content.priceOre + 1, aCall()), step), null);
    }
    t.is((await waiting[0])?.content.priceOre, 100);
    t.is(await priceOf(items, first), 102);
  });
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
  t.is((await items.findById(revoked.id))?.revision, 1);
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
    t.true(await items.insert(item));
    await itemCollection(store).updateOne({ _id: item.id }, { $set: { current: false } });
  }
  const found = await Promise.all(['again', 'then'].map((id) => items.findPredecessor(anAccountId, id)));
  t.deepEqual(
    found.map((one) => one?.sequence),
    [60, 5],
  );
});
