import test from 'ava';
import fc from 'fast-check';
import { mongo } from 'mongoose';
import { deletedItem } from '../../features/items/rules/delete-item.ts';
import type { ItemContent } from '../../features/items/rules/item-content.ts';
import type { Item } from '../../features/items/rules/item.ts';
import { updateItem } from '../../features/items/rules/upsert-item.ts';
import { changeNewestListing } from '../../features/listings/rules/publication.ts';
import { itemFromRow, rowFromItem, type ItemRow } from '../../features/items/store/item-row.ts';
import { changeOf } from '../../features/items/store/item-writes.ts';
import { aCall, aLiveItem, anItem, anItemBeingPublished, later, noon } from '../support/an-item.ts';
import { anItemRequest } from '../support/an-item-request.ts';
import { checkProperty } from '../support/check-property.ts';

/** What the database gives back for a row: nothing that a process remembers of an object is left. */
const stored = (row: ItemRow): ItemRow => mongo.BSON.deserialize(mongo.BSON.serialize(row)) as ItemRow;
const asRead = (item: Item): Item => itemFromRow(stored(rowFromItem(item)));

/** Stamped by the database. */
const apart: readonly string[] = ['acceptedAt', 'changedAt'];
const compared = (row: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !apart.includes(name)));

/** The row after an update, as the server makes it. */
function updated(row: ItemRow, $set: object): Readonly<Record<string, unknown>> {
  const after: Record<string, unknown> = { ...row };
  for (const [path, value] of Object.entries(stored($set as ItemRow))) {
    const [field = '', inside] = path.split('.');
    after[field] = inside === undefined ? value : { ...(after[field] as object), [inside]: value };
  }
  return after;
}

const books = { slug: 'books' as const, attributes: { 'a.b': 1, $x: [], author: { last: 'B' } } };
const image = { sourceUrl: 'https://i.test/1.jpg', contentHash: null, state: 'failed', failure: null } as const;
const contents: readonly Partial<ItemContent>[] = [
  {},
  { title: 'Dörr', description: 'Röd.', priceOre: 70_000, weightKg: 2 },
  { domain: books, imageUrls: [image.sourceUrl], shippingCostOre: 0 },
  {
    domain: { slug: 'books', attributes: {} },
    useAiEnhancement: true,
    quantity: 3,
    listing: { durationDays: 7 },
  },
];
const improved = { of: { title: 'Dörr', description: 'Röd.' }, improved: null, unansweredAtRevision: 1 };
/** Between them, each field of an item has more than one value. */
const items: readonly Item[] = [
  anItem({ requestId: null }),
  aLiveItem({ requestId: 'request-2', refusedPriceOre: 70_000, startAt: noon, trace: { traceparent: 'x' } }),
  changeNewestListing(anItemBeingPublished('failed'), { mayBeCommitted: true, hasBids: true }),
  deletedItem(anItem({ openOrderIds: ['ord_1' as never], unpaidOrderIds: ['ord_1' as never] }), aCall()),
  { ...deletedItem(anItem(), aCall()), purgeAt: later(1), sequence: 9, journalNumber: 9, settledRevision: 9 },
  anItem({
    startAt: later(5),
    starts: 2,
    bulk: 'waits',
    revision: 7,
    contentNumber: 5,
    wantedPublication: 3,
    imagesFailedTold: 2,
    relisted: { times: 2, loweredOre: 100 },
    quantityLeft: 2,
    updatedAt: later(9),
    createdAt: later(-9),
    imageSet: { number: 4, images: [image], announced: true },
    enrichment: { text: improved, vehicle: null, category: { title: 'Dörr', categoryId: 1 } },
    processing: { ...anItem().processing, stage: 'given_up', waitingFor: 'operator', since: later(2), attempts: 4 },
    acceptedAt: later(3),
    lastEventAt: later(4),
  }),
];

const pool = contents.flatMap((change) => items.map((item) => ({ ...item, content: anItemRequest(change).content })));
/** They are never another in the same item, or have rules of their own. */
const fixed: readonly string[] = [
  'id',
  'accountId',
  'externalId',
  'version',
  'serviceStatus',
  'marketplaceStatus',
  'content',
  // They go to other collections.
  'outbox',
  'journal',
  'pendingOrders',
];
const fields = [...new Set(items.flatMap((item) => Object.keys(item)))].filter((name) => !fixed.includes(name));
const contentFields = Object.keys(anItemRequest().content);

const anyItem = fc.constantFrom(...pool);
/** An item, and the same with some fields of another one. */
const changes = fc.record({
  from: anyItem,
  of: anyItem,
  taken: fc.subarray(fields),
  takenContent: fc.subarray(contentFields),
});

function mix<Whole extends object>(from: Whole, of: Whole, names: readonly string[]): Whole {
  const taken = names.flatMap((name) => (name in of ? [[name, Reflect.get(of, name)] as const] : []));
  return taken.length === 0 ? from : { ...from, ...Object.fromEntries(taken) };
}

test('an update makes of the row of an item that of its next version, whatever has changed', async (t) => {
  await checkProperty(
    t,
    fc.property(changes, fc.boolean(), ({ from, of, taken, takenContent }, isAccepted) => {
      const before = asRead(from);
      const next = { ...mix(before, of, taken), content: mix(before.content, of.content, takenContent) };
      const change = changeOf(before, next, isAccepted);
      // A copy, so that it is made anew.
      const whole = stored(rowFromItem(structuredClone(change.stored)));
      t.deepEqual(compared(updated(stored(rowFromItem(from)), change.update.$set)), compared(whole));
    }),
    { numRuns: 300 },
  );
});

test('each field of an item has several values there, so that a forgotten one is noticed', (t) => {
  const few = fields.filter((name) => new Set(items.map((item) => JSON.stringify(Reflect.get(item, name)))).size < 2);
  t.deepEqual(few, []);
});

test('a new price names the fields that have to do with it, and none of the text', (t) => {
  const before = asRead(anItem());
  const next = updateItem(before, anItemRequest({ priceOre: 50_000 }), aCall(1));
  const { $set } = changeOf(before, next, true).update;
  const names = ['content.priceOre', 'journalNumber', 'revision', 'updatedAt', 'version'];
  t.deepEqual(Object.keys($set).toSorted(), names);
});
