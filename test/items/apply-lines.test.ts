import type { ItemContent } from '../../features/items/rules/item-content.ts';
import { anItemRequest } from '../support/an-item-request.ts';
import { randomUUID } from 'node:crypto';
import test from 'ava';
import { withAllThatIsStored } from '../support/told-of.ts';
import { itemId } from '../../features/rules/ids.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { rewriteItem } from '../../features/items/write-item.ts';
import { settle } from '../../features/items/rules/owed-work.ts';
import { later, noon } from '../support/an-item.ts';
import { withDatabase } from '../support/with-database.ts';
import { aBulk, aLine, createLineWorld, outcomesOf } from '../support/line-world.ts';

let store: StoreConnection;
withDatabase(test, (opened) => (store = opened));

// specification: a-line-never-overwrites
test('a write of a caller is stamped with the time of the database, whatever the clock of the process says', async (t) => {
  const world = createLineWorld(store, { now: () => later(-86_400_000 * 365) });
  const before = await world.databaseTime();
  await world.put('new');
  await world.apply([aLine(1, 'line')]);
  const between = await world.databaseTime();
  for (const item of await world.all()) {
    const at = item.acceptedAt?.getTime() ?? 0;
    t.true(at >= before.getTime() && at <= between.getTime());
  }
  await world.put('new', { title: 'Annan' });
  await world.apply([aLine(1, 'line', { title: 'Annan' })]);
  for (const item of await world.all()) t.true((item.acceptedAt?.getTime() ?? 0) > between.getTime());
});

test('what the service observes is no write of a caller', async (t) => {
  const world = createLineWorld(store);
  const { itemId: id } = await world.put('A');
  const { acceptedAt } = await world.current('A');
  await rewriteItem(world.items, { accountId: world.account, id }, (item) => settle(item, noon));
  t.deepEqual((await world.current('A')).acceptedAt, acceptedAt);
  t.truthy(acceptedAt);
});

/** Asks for an auction, which is a workflow's work. */
const toPublish = (line: number, externalId: string, change: Partial<ItemContent> = {}) => ({
  ...aLine(line, externalId, change),
  request: anItemRequest(change, { autoPublish: true }),
});

test('lines leave what a workflow has to do to the backlog', async (t) => {
  const world = createLineWorld(store);
  await world.put('C', { title: 'Före' });
  const lines = [toPublish(1, 'A'), toPublish(2, 'B'), aLine(3, 'C', { title: 'Efter' })];
  t.deepEqual(outcomesOf(await world.apply(lines)), ['created', 'created', 'updated']);
  for (const name of ['A', 'B']) {
    const { startAt, bulk, revision, settledRevision } = await world.current(name);
    t.deepEqual([startAt, bulk], [noon, 'waits']);
    t.not(revision, settledRevision);
  }
  const { startAt, bulk, revision, settledRevision } = await world.current('C');
  t.deepEqual([startAt, bulk, settledRevision], [null, null, revision], 'nothing is left to do');
});

// specification: fair-across-members-single
test('a single write takes an item out of the backlog, and so does its being settled', async (t) => {
  const world = createLineWorld(store);
  await world.apply([toPublish(1, 'A'), toPublish(2, 'B')]);
  await world.singles.changePrice(world.scope, { externalId: 'A', priceOre: 1_000 });
  t.like(await world.current('A'), { startAt: later(5_000), bulk: null });
  await rewriteItem(world.items, await world.current('B'), (item) => settle(item, noon));
  t.like(await world.current('B'), { startAt: null, bulk: null });
});

test('several lines of one item are one write, and each tells what it did', async (t) => {
  const world = createLineWorld(store);
  const bulk = aBulk(await world.databaseTime());
  const lines = [
    aLine(1, 'A', { title: 'Ett' }),
    aLine(2, 'B'),
    aLine(3, 'A', { title: 'Två' }),
    aLine(4, 'A', { title: 'Två' }),
  ];
  const results = await world.apply(lines, bulk);
  t.deepEqual(outcomesOf(results), ['created', 'created', 'updated', 'unchanged']);
  t.deepEqual(
    results.map(({ line }) => line),
    [1, 2, 3, 4],
  );
  const item = await world.current('A');
  t.is(item.version, 1);
  t.is(item.revision, 2);
  t.is(item.content.title, 'Två');
  t.deepEqual(
    (await withAllThatIsStored(store, item)).journal.map(({ kind }) => kind),
    ['created', 'updated'],
  );
});

test('validateOnly says what would happen, also to repeated ids, and has no effect', async (t) => {
  const world = createLineWorld(store);
  await world.put('B');
  const before = await world.all();
  const lines = [aLine(1, 'A'), aLine(2, 'A', { title: 'Ny' }), aLine(3, 'B'), aLine(4, 'B', { title: 'Ny' })];
  t.deepEqual(outcomesOf(await world.validate(lines)), ['created', 'updated', 'unchanged', 'updated']);
  t.deepEqual(await world.all(), before);
});

// specification: a-line-never-overwrites
test('a line never overwrites a write that was accepted after its bulk sync', async (t) => {
  const world = createLineWorld(store);
  await world.put('before', { title: 'Före' });
  const bulk = aBulk(await world.databaseTime());
  await world.put('after', { title: 'Efter' });
  await world.put('same', { title: 'Rad' });
  const results = await world.apply(
    ['before', 'after', 'same'].map((id, index) => aLine(index + 1, id, { title: 'Rad' })),
    bulk,
  );
  t.deepEqual(outcomesOf(results), ['updated', 'CONFLICT', 'unchanged']);
  t.is((await world.current('after')).content.title, 'Efter');
  t.is((await world.current('before')).content.title, 'Rad');
});

// specification: a-line-never-overwrites
test('a line never brings back what was deleted after its bulk sync was accepted', async (t) => {
  const world = createLineWorld(store);
  await world.put('before');
  await world.put('after');
  await world.singles.remove(world.scope, { externalId: 'before' });
  const bulk = aBulk(await world.databaseTime());
  await world.singles.remove(world.scope, { externalId: 'after' });
  t.deepEqual(outcomesOf(await world.apply([aLine(1, 'before'), aLine(2, 'after')], bulk)), ['created', 'CONFLICT']);
  t.deepEqual(
    (await world.all()).map(({ externalId, current }) => [externalId, current]),
    [
      ['after', false],
      ['before', false],
      ['before', true],
    ],
  );
});

// specification: a-line-never-overwrites
test('of two bulk syncs the one accepted later has the last word, whichever is applied first', async (t) => {
  const world = createLineWorld(store);
  const earlier = aBulk(await world.databaseTime());
  const later = aBulk(await world.databaseTime());
  t.deepEqual(outcomesOf(await world.apply([aLine(1, 'A', { title: 'Andra' })], later)), ['created']);
  t.deepEqual(outcomesOf(await world.apply([aLine(1, 'A', { title: 'Första' })], earlier)), ['CONFLICT']);
  t.deepEqual(outcomesOf(await world.apply([aLine(1, 'B', { title: 'Första' })], earlier)), ['created']);
  t.deepEqual(outcomesOf(await world.apply([aLine(1, 'B', { title: 'Andra' })], later)), ['updated']);
  t.deepEqual(
    (await world.all()).map(({ content }) => content.title),
    ['Andra', 'Andra'],
  );
});

test('a line that finds its item as it wants it is not undone by an older bulk sync that is still at work', async (t) => {
  const world = createLineWorld(store);
  await world.put('A', { title: 'Andra' });
  const earlier = aBulk(await world.databaseTime());
  const later = aBulk(await world.databaseTime());
  const before = await world.current('A');
  t.deepEqual(outcomesOf(await world.applyOvertaking([aLine(1, 'A', { title: 'Andra' })], later)), ['unchanged']);
  const traced = await world.current('A');
  t.deepEqual(traced, { ...before, version: before.version + 1, acceptedAt: later.acceptedAt });
  t.deepEqual(outcomesOf(await world.apply([aLine(1, 'A', { title: 'Första' })], earlier)), ['CONFLICT']);
  t.deepEqual(outcomesOf(await world.applyOvertaking([aLine(1, 'A', { title: 'Andra' })], later)), ['unchanged']);
  t.deepEqual(await world.current('A'), traced);
});

test('a line that finds its item as it wants it writes nothing while no older bulk sync is at work', async (t) => {
  const world = createLineWorld(store);
  await world.put('A');
  const before = await world.current('A');
  t.deepEqual(outcomesOf(await world.apply([aLine(1, 'A')], aBulk(await world.databaseTime()))), ['unchanged']);
  t.deepEqual(await world.current('A'), before);
});

test("callers' lines confirm their credential right before the write; those of a bulk sync go on without it", async (t) => {
  const world = createLineWorld(store);
  await world.apply([aLine(1, 'A')], aBulk(noon));
  t.is(world.confirmed.length, 0);
  await world.apply([aLine(1, 'A')]);
  t.is(world.confirmed.length, 1);
});

test('a snapshot removes what no caller has written since its upload began', async (t) => {
  const world = createLineWorld(store);
  for (const id of ['old', 'archived', 'new', 'gone']) await world.put(id);
  await rewriteItem(world.items, await world.current('archived'), (item) => ({
    ...item,
    openOrderIds: [`ord_${randomUUID()}` as never],
  }));
  const ids = (await world.all()).map(({ id, externalId }) => [externalId, id] as const);
  await world.singles.remove(world.scope, { externalId: 'gone' });
  const startedAt = await world.databaseTime();
  await world.put('new', { title: 'Ny' });
  const bulk = { ...aBulk(await world.databaseTime()), removedBefore: startedAt };
  const idOf = new Map(ids);
  const items = ['old', 'archived', 'new', 'gone'].map((name, line) => ({
    line,
    itemId: idOf.get(name) ?? itemId(''),
  }));
  const outcomes = [...(await world.remove([...items, { line: 9, itemId: itemId(randomUUID()) }], bulk))];
  t.deepEqual(
    outcomes.map(({ line, outcome }) => [line, outcome]),
    [
      [0, 'removed'],
      [1, 'removed'],
      [2, 'kept'],
      [3, 'kept'],
      [9, 'kept'],
    ],
  );
  const after = await world.all();
  const of = (name: string) => after.find(({ externalId }) => externalId === name);
  t.true(of('old')?.removedAt instanceof Date);
  t.is(of('archived')?.serviceStatus, 'archived');
  t.true(of('new')?.current);
  t.is(of('old')?.startAt, null);
  t.deepEqual(
    (await world.remove(items, bulk)).map(({ outcome }) => outcome),
    ['kept', 'kept', 'kept', 'kept'],
  );
  t.deepEqual(await world.all(), after);
});

test('an item of another account is not removed, whoever knows its id', async (t) => {
  const [world, other] = [createLineWorld(store), createLineWorld(store)];
  const { itemId: id } = await other.put('A');
  const at = await world.databaseTime();
  t.is((await world.remove([{ line: 1, itemId: id }], { ...aBulk(at), removedBefore: at }))[0]?.outcome, 'kept');
  t.true((await other.current('A')).current);
});
