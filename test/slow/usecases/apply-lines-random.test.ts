import { randomUUID } from 'node:crypto';
import test from 'ava';
import { withAllThatIsStored } from '../../support/told-of.ts';
import fc from 'fast-check';
import { itemId } from '../../../core/ids.ts';
import type { ItemContent } from '../../../core/items/item-content.ts';
import type { Item } from '../../../core/items/item.ts';
import { deletedItem } from '../../../core/items/change-item.ts';
import { changeNewestListing } from '../../../core/listings/publication.ts';
import type { StoreConnection } from '../../../store/database/connection.ts';
import { createItemLineStore, type ItemLineStore } from '../../../store/items/item-lines.ts';
import type { BulkOrigin } from '../../../usecases/items/apply-lines.ts';
import { aCall, aLiveItem, anItem, anItemBeingPublished } from '../../support/an-item.ts';
import { anItemRequest } from '../../support/an-item-request.ts';
import { Died } from '../../support/dying-store.ts';
import { closeTestStore, openTestStore } from '../../support/open-test-store.ts';
import { aBulk, aLine, createLineWorld, outcomesOf, type LineWorld } from '../../usecases/support/line-world.ts';
import { checkProperty } from '../../support/check-property.ts';
import { present } from '../../support/clock.ts';

let store: StoreConnection;
test.before(async () => {
  store = await openTestStore();
});
test.after.always(async () => {
  await closeTestStore(store);
});

const names = ['a', 'b', 'ö/1', '$x', '__proto__', 'c'] as const;

/** What may be there before the lines come. */
const beginnings = {
  absent: null,
  plain: () => anItem(),
  live: () => aLiveItem(),
  heldPrice: () => changeNewestListing(aLiveItem({ refusedPriceOre: 70_000 }), { hasBids: true }),
  givenUp: () => anItemBeingPublished('failed', { marketplaceStatus: 'sync_error' }),
  withPictures: () => changeNewestListing(aLiveItem(), { imageHashes: ['abc'] }),
  draft: () =>
    anItem({ serviceStatus: 'draft', content: anItemRequest({ imageUrls: ['https://i.test/1.jpg'] }).content }),
  deleted: () => deletedItem(anItem({ sequence: 7 }), aCall()),
  archived: () => deletedItem(anItem({ openOrderIds: ['ord_1' as never] }), aCall()),
} satisfies Record<string, (() => Item) | null>;
type Beginning = keyof typeof beginnings;

const contents: fc.Arbitrary<Partial<ItemContent>> = fc.record(
  {
    title: fc.constantFrom('Strålkastare Volvo V70', 'Dörr', 'Räls'),
    priceOre: fc.constantFrom(45_000, 70_000, 1),
    imageUrls: fc.constantFrom([], ['https://i.test/1.jpg'], ['https://i.test/2.jpg', 'https://i.test/1.jpg']),
    domain: fc.constantFrom(null, { slug: 'books' as const, attributes: { 'a.b': 1, $x: [], ['__proto__']: 'x' } }),
    useAiEnhancement: fc.boolean(),
  },
  { requiredKeys: [] },
);
const pushes = fc.record({ externalId: fc.constantFrom(...names), content: contents, autoPublish: fc.boolean() });
const lists = fc.record({
  before: fc.array(fc.constantFrom(...(Object.keys(beginnings) as Beginning[])), {
    minLength: names.length,
    maxLength: names.length,
  }),
  pushes: fc.array(pushes, { minLength: 1, maxLength: 24 }),
  chunk: fc.integer({ min: 1, max: 12 }),
  isBulk: fc.boolean(),
});

async function furnish(world: LineWorld, before: readonly Beginning[]): Promise<void> {
  for (const [index, beginning] of before.entries()) {
    const item = beginnings[beginning]?.();
    const externalId = names[index] ?? '';
    if (item !== undefined)
      await world.items.insert({ ...item, id: itemId(randomUUID()), accountId: world.account, externalId });
  }
}

/** Ids of items and accounts as numbers, and without what says how an item was written instead of what it is. */
const comparable = (value: unknown, items: readonly Item[], world: LineWorld): unknown => {
  const text = JSON.stringify(value, (key: string, member: unknown) => (aboutTheWrite.has(key) ? undefined : member));
  const named = items.reduce(
    (said, { id }, index) => said.replaceAll(id, `item-${index}`).replaceAll(id.replaceAll('-', ''), `item-${index}`),
    text,
  );
  return JSON.parse(named.replaceAll(world.account, 'account')) as unknown;
};
// Only lines of a bulk sync tell what they leave out.
// Several lines of one item are one write, so the item is at work or at rest once, not in between.
const aboutTheWrite = new Set([
  ...['version', 'startAt', 'starts', 'bulk', 'acceptedAt', 'changedAt', 'lastEventAt', 'appliedChunks', 'leftOut'],
  ...['settledRevision', 'processing'],
]);

// specification: many-items-at-once
test('lines leave the same items, events, history, outcomes and warnings as the same pushes one by one', async (t) => {
  await checkProperty(
    t,
    fc.asyncProperty(lists, async ({ before, pushes: list, chunk, isBulk }) => {
      const [singly, together] = [createLineWorld(store), createLineWorld(store)];
      await Promise.all([furnish(singly, before), furnish(together, before)]);
      const lines = list.map(({ externalId, content, autoPublish }, line) => ({
        line,
        externalId,
        request: { ...anItemRequest(content, { autoPublish }), warnings: [{ field: 'x', message: String(line) }] },
      }));
      const bulk = isBulk ? aBulk(present()) : undefined;
      const one = [];
      for (const { line, ...push } of lines) one.push({ line, ...(await singly.singles.upsert(singly.scope, push)) });
      const many = [];
      for (let at = 0; at < lines.length; at += chunk) {
        const origin = bulk === undefined ? undefined : { ...bulk, chunk: at };
        many.push(...(await together.apply(lines.slice(at, at + chunk), origin)));
      }
      const [itemsOne, itemsMany] = [await singly.all(), await together.all()];
      t.deepEqual(comparable(itemsMany, itemsMany, together), comparable(itemsOne, itemsOne, singly));
      t.deepEqual(comparable(many, itemsMany, together), comparable(one, itemsOne, singly));
    }),
    { numRuns: 25 },
  );
});

/** The same store for a process that dies at its `diesAt`-th step; a write it dies in takes effect for the first of its items. */
function dyingLines(diesAt: number): { lines: ItemLineStore; steps: () => number } {
  const lines = createItemLineStore(store);
  let steps = 0;
  const step = (): boolean => {
    steps += 1;
    return steps - 1 === diesAt;
  };
  const dieAt = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (step()) throw new Died();
    const result = await work();
    if (step()) throw new Died();
    return result;
  };
  return {
    steps: () => steps,
    lines: {
      findCurrent: (...of) => dieAt(() => lines.findCurrent(...of)),
      findFormer: (...of) => dieAt(() => lines.findFormer(...of)),
      findByIds: (...of) => dieAt(() => lines.findByIds(...of)),
      findPushed: (...of) => dieAt(() => lines.findPushed(...of)),
      isStill: (...of) => lines.isStill(...of),
      write: async (changes, options) => {
        if (step()) {
          await lines.write(changes.slice(0, Math.ceil(changes.length / 2)), options);
          throw new Died();
        }
        return dieAt(() => lines.write(changes, options));
      },
    },
  };
}

interface Stage {
  readonly world: LineWorld;
  readonly bulk: BulkOrigin;
}

/** Applies something by a process that dies at each step in turn, then by one that lives. */
async function dyingEverywhere(apply: (stage: Stage, through: ItemLineStore) => Promise<unknown>) {
  const ends: { readonly results: unknown; readonly items: unknown; readonly dead: boolean }[] = [];
  for (let diesAt = 0; ; diesAt += 1) {
    const world = createLineWorld(store);
    await furnish(world, ['plain', 'live', 'deleted', 'absent', 'archived', 'withPictures']);
    const stage = { world, bulk: aBulk(await world.databaseTime()) };
    const dying = dyingLines(diesAt);
    const dead = await apply(stage, dying.lines).then(
      () => false,
      (error: unknown) => {
        if (!(error instanceof Died)) throw error;
        return true;
      },
    );
    const results = await apply(stage, createItemLineStore(store));
    const again = await apply(stage, createItemLineStore(store));
    const items = await world.all();
    const withVersions = items.map(({ version }) => version);
    ends.push({
      // What is told again has the revision of today.
      results: [results, again].map((told) => comparable(told, items, world)).map(withoutRevisions),
      items: [comparable(items, items, world), withVersions],
      dead,
    });
    if (!dead) return ends;
  }
}

const withoutRevisions = (told: unknown): unknown =>
  JSON.parse(
    JSON.stringify(told, (key: string, value: unknown) => (key === 'revision' ? undefined : value)),
  ) as unknown;

const chunkLines = [
  aLine(1, 'a', { title: 'Dörr' }),
  aLine(2, 'b'),
  aLine(3, 'ö/1', { title: 'Ett' }),
  aLine(4, 'ö/1', { title: 'Två' }),
  aLine(5, '$x'),
  aLine(6, '__proto__'),
  aLine(7, 'c', { imageUrls: [] }),
  aLine(8, 'a', { title: 'Dörr' }),
];

// specification: a-chunk-applied-again
test('a chunk whose process dies at any step and that is applied again has the same outcomes and writes each item once', async (t) => {
  const ends = await dyingEverywhere(({ world, bulk }, through) => world.apply(chunkLines, bulk, through));
  const alive = ends.at(-1);
  t.true(ends.length > 6);
  for (const end of ends) {
    t.deepEqual(end.results, alive?.results);
    t.deepEqual(end.items, alive?.items);
  }
});

// specification: a-chunk-applied-again
test('removals whose process dies at any step and that are applied again have the same outcomes and write each item once', async (t) => {
  const ends = await dyingEverywhere(async ({ world, bulk }, through) => {
    const items = (await world.all()).map(({ id }, line) => ({ line, itemId: id }));
    return world.remove(items, { ...bulk, removedBefore: bulk.acceptedAt }, through);
  });
  t.true(ends.length > 4);
  for (const end of ends) {
    t.deepEqual(end.results, ends.at(-1)?.results);
    t.deepEqual(end.items, ends.at(-1)?.items);
  }
});

// specification: many-items-at-once
test('of writers of the same items, singly and in chunks, every one has its effect exactly once', async (t) => {
  const world = createLineWorld(store);
  const ids = Array.from({ length: 12 }, (_, index) => `r${index}`);
  const titles = (writer: number) =>
    ids.map((externalId, line) => aLine(line, externalId, { title: `Titel ${writer}` }));
  // Later than anything here, so that no line is refused.
  const bulk = aBulk(present(3_600_000));
  const chunks = Array.from({ length: 6 }, (_, writer) =>
    world.apply(titles(writer), writer % 2 === 0 ? undefined : { ...aBulk(bulk.acceptedAt) }),
  );
  const singles = ids.flatMap((id) => [1, 2].map((writer) => world.put(id, { title: `Ensam ${writer}` })));
  const outcomes = [
    ...(await Promise.all(chunks)).flatMap(outcomesOf),
    ...(await Promise.all(singles)).map((of) => of.outcome),
  ];
  const items = await world.all();
  t.is(items.length, ids.length);
  const count = (outcome: string): number => outcomes.filter((of) => of === outcome).length;
  t.is(count('created'), ids.length);
  // Each write raised the revision by one and left one line of history.
  const revisions = items.reduce((sum, { revision }) => sum + revision, 0);
  const refused = count('CONFLICT');
  t.is(revisions, count('created') + count('updated'));
  t.is(count('created') + count('updated') + count('unchanged') + refused, outcomes.length);
  for (const item of items) {
    const { journal, revision } = await withAllThatIsStored(store, item);
    t.is(journal.length, revision);
    t.deepEqual(
      journal.map(({ number }) => number),
      journal.map((_of, index) => index + 1),
    );
  }
});

test('a chunk applied by two processes at once is applied once, and both tell the same', async (t) => {
  for (let round = 0; round < 5; round += 1) {
    const world = createLineWorld(store);
    await furnish(world, ['plain', 'live', 'deleted', 'absent', 'archived', 'withPictures']);
    const bulk = aBulk(await world.databaseTime());
    const [one, other] = await Promise.all([world.apply(chunkLines, bulk), world.apply(chunkLines, bulk)]);
    t.deepEqual(outcomesOf(one), outcomesOf(other));
    for (const item of (await world.all()).filter(({ current }) => current)) {
      const { journal, externalId } = await withAllThatIsStored(store, item);
      t.true(journal.length <= (externalId === 'ö/1' ? 2 : 1), externalId);
    }
  }
});
