import { randomUUID } from 'node:crypto';
import test from 'ava';
import { withAllThatIsStored } from '../support/told-of.ts';
import fc from 'fast-check';
import { problem } from '../../features/rules/field-problems.ts';
import { itemId } from '../../features/rules/ids.ts';
import type { ItemContent } from '../../features/items/rules/item-content.ts';
import type { Item } from '../../features/items/rules/item.ts';
import { deletedItem } from '../../features/items/rules/delete-item.ts';
import { changeNewestListing } from '../../features/listings/rules/publication.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { aCall, aLiveItem, anItem, anItemBeingPublished } from '../support/an-item.ts';
import { anItemRequest } from '../support/an-item-request.ts';
import { withDatabase } from '../support/with-database.ts';
import { aBulk, aLine, createLineWorld, outcomesOf, type LineWorld } from '../support/line-world.ts';
import { checkProperty } from '../support/check-property.ts';
import { present } from '../support/clock.ts';

let store: StoreConnection;
withDatabase(test, (opened) => (store = opened));

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
  ...['version', 'startAt', 'starts', 'bulk', 'acceptedAt', 'changedAt', 'lastEventAt', 'leftOut'],
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
        request: { ...anItemRequest(content, { autoPublish }), warnings: [problem('x', 'repeated_id', { line })] },
      }));
      const bulk = isBulk ? aBulk(present()) : undefined;
      const one = [];
      for (const { line, ...push } of lines) one.push({ line, ...(await singly.singles.upsert(singly.scope, push)) });
      const many = [];
      for (let at = 0; at < lines.length; at += chunk) {
        many.push(...(await together.apply(lines.slice(at, at + chunk), bulk)));
      }
      const [itemsOne, itemsMany] = [await singly.all(), await together.all()];
      t.deepEqual(comparable(itemsMany, itemsMany, together), comparable(itemsOne, itemsOne, singly));
      t.deepEqual(comparable(many, itemsMany, together), comparable(one, itemsOne, singly));
    }),
    { numRuns: 25 },
  );
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
