import test from 'ava';
import { problem } from '../../features/rules/field-problems.ts';
import { deletedItem } from '../../features/items/rules/delete-item.ts';
import type { ItemContent } from '../../features/items/rules/item-content.ts';
import type { Item } from '../../features/items/rules/item.ts';
import { changeNewestListing } from '../../features/listings/rules/publication.ts';
import { contentHash, itemFromRow, pushHashOf, rowFromItem } from '../../features/items/store/item-row.ts';
import { asksToPublish } from '../../features/items/warnings.ts';
import { decideUpdate } from '../../features/items/upsert-item.ts';
import { aCall, aLiveItem, anItem, anItemBeingPublished, later } from '../support/an-item.ts';
import { anItemRequest } from '../support/an-item-request.ts';

const image = { sourceUrl: 'https://i.test/1.jpg', contentHash: null, failure: null } as const;
const atRest = (change: Partial<Item> = {}): Item => anItem({ wantedPublication: 0, ...change });
const withImage = (state: 'failed' | 'pending' | 'hosted'): Item => {
  const { content } = anItemRequest({ imageUrls: [image.sourceUrl] });
  return atRest({ content, imageSet: { number: 1, images: [{ ...image, state }], announced: state !== 'pending' } });
};
const books = { slug: 'books' as const, attributes: { 'a.b': 1, $x: [], author: { last: 'B', first: 'A' } } };

const items: Readonly<Record<string, Item>> = {
  plain: atRest(),
  'wanted up': anItem(),
  books: atRest({ content: anItemRequest({ domain: books }).content }),
  live: aLiveItem(),
  sold: atRest({ serviceStatus: 'sold' }),
  'off the service': atRest({ serviceStatus: 'not_listed' }),
  'held price': changeNewestListing(aLiveItem({ refusedPriceOre: 70_000 }), { hasBids: true }),
  'given up': anItemBeingPublished('failed', { marketplaceStatus: 'sync_error' }),
  'being published': anItemBeingPublished('drafting'),
  'auction with pictures, item without': changeNewestListing(aLiveItem(), { imageHashes: ['abc'] }),
  'failed image': withImage('failed'),
  'pending image': withImage('pending'),
  'hosted image': withImage('hosted'),
  deleted: deletedItem(atRest(), aCall()),
  archived: deletedItem(anItem({ openOrderIds: ['ord_1' as never] }), aCall()),
};

const contents: readonly ItemContent[] = [
  ...Object.values(items).map(({ content }) => content),
  ...[{ priceOre: 70_000 }, { priceOre: 1 }, { title: 'Dörr' }, { useAiEnhancement: true }, { domain: books }].map(
    (change) => anItemRequest(change).content,
  ),
];

test('a push with the hash of an item changes nothing of it and has nothing to say of it', (t) => {
  let compared = 0;
  for (const [what, item] of Object.entries(items)) {
    for (const content of contents) {
      if (pushHashOf(item) !== contentHash(content)) continue;
      compared += 1;
      for (const autoPublish of [true, false]) {
        const request = { content, autoPublish, warnings: [problem('x', 'required')] };
        const decided = decideUpdate(item, request, { ...aCall(), now: later(1) });
        t.is(decided.item, item, what);
        t.deepEqual(decided.warnings, request.warnings, what);
        t.false(asksToPublish(item, request), what);
      }
    }
  }
  t.true(compared >= 20, String(compared));
});

test('items at rest have the hash of what their caller said, others have none', (t) => {
  const hashed = Object.keys(items).filter((what) => pushHashOf(items[what] as Item) !== null);
  t.deepEqual(hashed, [
    ...['plain', 'books', 'live', 'sold', 'off the service', 'auction with pictures, item without'],
    ...['pending image', 'hosted image'],
  ]);
});

test('the order of attributes is no difference, and what the database gives back has the same hash', (t) => {
  const turned = { slug: 'books' as const, attributes: { author: { first: 'A', last: 'B' }, $x: [], 'a.b': 1 } };
  t.is(contentHash(anItemRequest({ domain: books }).content), contentHash(anItemRequest({ domain: turned }).content));
  const other = { ...turned, attributes: { ...turned.attributes, 'a.b': 2 } };
  t.not(contentHash(anItemRequest({ domain: books }).content), contentHash(anItemRequest({ domain: other }).content));
  const item = items['books'] as Item;
  const row = structuredClone(rowFromItem(item));
  const { pushHash } = row;
  t.is(pushHash, contentHash(item.content));
  const read = itemFromRow({ ...row, pushHash: null });
  t.not(read.content, item.content);
  t.is(contentHash(read.content), String(pushHash));
});
