import test from 'ava';
import { changePrice } from '../../../core/items/change-price.ts';
import type { Item, Listing } from '../../../core/items/item.ts';
import { updateItem } from '../../../core/items/upsert-item.ts';
import { changeNewestListing } from '../../../core/listings/publication.ts';
import {
  adoptPrice,
  askedChange,
  needsOnlyPrice,
  needsRevision,
  priceOnlyDiffersInOre,
  recordChangeRefused,
  recordRevised,
  type AskedChange,
} from '../../../core/listings/revision.ts';
import { aCall, aLiveItem, emptied, later, noon } from '../../support/an-item.ts';
import { anItemRequest } from '../../support/an-item-request.ts';

function newest(item: Item): Listing {
  const listing = item.listings.at(-1);
  if (listing === undefined) throw new Error('no listing');
  return listing;
}
const dearer = (ore = 50_000): Item => emptied(changePrice(aLiveItem(), ore, aCall()));
const renamed = (): Item => emptied(updateItem(aLiveItem(), anItemRequest({ title: 'Annan' }), aCall()));
const asked = (item: Item): AskedChange => askedChange(item, newest(item));
const errorsOf = (item: Item): unknown[] => item.outbox.map(({ data }) => data['error']);

test('a live auction needs a revision for content, and for a price in other kronor', (t) => {
  const needs = (item: Item) => needsRevision(item, newest(item));
  t.false(needs(aLiveItem()));
  t.true(needs(dearer()));
  t.false(needs(dearer(45_049)));
  t.true(needs(dearer(45_050)));
  t.true(needs(renamed()));
  t.true(needsOnlyPrice(dearer(), newest(dearer())));
  t.false(needsOnlyPrice(renamed(), newest(renamed())));
});

test('öre alone are adopted without a call', (t) => {
  const item = dearer(45_010);
  t.true(priceOnlyDiffersInOre(item, newest(item)));
  t.is(newest(adoptPrice(item)).itemPriceOre, 45_010);
});

test('what was taken is what the auction shows now, even when the item has moved on', (t) => {
  const item = dearer();
  const ask = asked(item);
  const moved = emptied(changePrice(item, 60_000, aCall(1)));
  const revised = recordRevised(moved, ask, later(2));
  t.is(newest(revised).itemPriceOre, 50_000);
  t.is(revised.content.priceOre, 60_000);
  t.true(needsRevision(revised, newest(revised)));
  t.is(revised.revision, moved.revision);
});

test('a revision that succeeds at last ends sync_error', (t) => {
  const item = { ...dearer(), marketplaceStatus: 'sync_error' } as const;
  t.is(recordRevised(item, asked(item), noon).marketplaceStatus, 'active');
});

test('a revision taken after a late sale of an older auction leaves the item sold', (t) => {
  const item = { ...dearer(), serviceStatus: 'sold', marketplaceStatus: 'sold' } as const;
  const leaving = changeNewestListing(item, { state: 'leaving' });
  t.is(recordRevised(leaving, asked(item), noon).marketplaceStatus, 'sold');
});

test('the outcome of a revision of what is over changes nothing', (t) => {
  for (const state of ['ended', 'sold', 'removed', 'failed'] as const) {
    const over = changeNewestListing(dearer(), { state });
    t.is(recordRevised(over, asked(dearer()), noon), over);
    t.is(recordChangeRefused(over, asked(dearer()), noon), over);
  }
});

test('a price refused because of bids goes back to the last one taken, and is told', (t) => {
  const item = dearer();
  const refused = recordChangeRefused(item, asked(item), later(1));
  t.is(refused.content.priceOre, 45_000);
  t.like(refused, { refusedPriceOre: 50_000, marketplaceStatus: 'active', serviceStatus: 'active' });
  t.is(refused.revision, item.revision + 1);
  t.true(newest(refused).hasBids);
  t.deepEqual(errorsOf(refused), ['PRICE_REFUSED_BIDS: the auction has bids, so its price stays 450 SEK']);
  t.false(needsRevision(refused, newest(refused)));
});

test('content refused because of bids stays stored for the next auction, and is told', (t) => {
  const item = renamed();
  const refused = recordChangeRefused(item, asked(item), later(1));
  t.like(refused.content, { title: 'Annan', priceOre: 45_000 });
  t.is(refused.revision, item.revision);
  t.regex(String(errorsOf(refused)[0]), /^REVISION_REFUSED_BIDS: /);
  t.false(needsRevision(refused, newest(refused)));
});

test('price and content refused together: the price goes back, the content stays', (t) => {
  const item = emptied(updateItem(aLiveItem(), anItemRequest({ title: 'Annan', priceOre: 50_000 }), aCall()));
  const refused = recordChangeRefused(item, asked(item), noon);
  t.like(refused.content, { title: 'Annan', priceOre: 45_000 });
  t.is(refused.outbox.length, 1);
});

test('öre that were refused along with content stay the item’s own', (t) => {
  const item = emptied(updateItem(aLiveItem(), anItemRequest({ title: 'Annan', priceOre: 45_020 }), aCall()));
  const refused = emptied(recordChangeRefused(item, asked(item), noon));
  t.is(refused.content.priceOre, 45_020);
  const again = emptied(changePrice(refused, 60_000, aCall(1)));
  t.is(recordChangeRefused(again, asked(again), noon).content.priceOre, 45_020);
});

test('a refusal of what the item no longer asks for decides nothing', (t) => {
  const item = dearer();
  const moved = emptied(changePrice(item, 60_000, aCall(1)));
  const refused = recordChangeRefused(moved, asked(item), later(2));
  t.is(refused.content.priceOre, 60_000);
  t.deepEqual(refused.outbox, []);
  t.true(needsRevision(refused, newest(refused)));
});
