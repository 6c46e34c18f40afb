import test from 'ava';
import { itemWithPrice } from '../../../core/items/change-item.ts';
import type { Item, Listing } from '../../../core/items/item.ts';
import { updateItem } from '../../../core/items/upsert-item.ts';
import { changeNewestListing } from '../../../core/listings/publication.ts';
import {
  beginChange,
  confirmShown,
  dropChange,
  exactPriceOre,
  forgetChangeRequest,
  isUnconfirmed,
  needsOnlyPrice,
  needsRevision,
  noteChangeRequest,
  recordChangeRefused,
  recordRevised,
} from '../../../core/listings/revision.ts';
import { aCall, aLiveItem, emptied, later, noon } from '../../support/an-item.ts';
import { anItemRequest } from '../../support/an-item-request.ts';

function newest(item: Item): Listing {
  const listing = item.listings.at(-1);
  if (listing === undefined) throw new Error('no listing');
  return listing;
}
const dearer = (ore = 50_000): Item => emptied(itemWithPrice(aLiveItem(), ore, aCall()));
const renamed = (): Item => emptied(updateItem(aLiveItem(), anItemRequest({ title: 'Annan' }), aCall()));
const begin = (item: Item) => beginChange(item, newest(item));
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

test('öre alone are confirmed without a call, and a failure that is over too', (t) => {
  const item = dearer(45_010);
  t.true(isUnconfirmed(item, newest(item)));
  t.is(newest(confirmShown(item, noon)).itemPriceOre, 45_010);
  const again = { ...aLiveItem(), marketplaceStatus: 'sync_error' } as const;
  t.true(isUnconfirmed(again, newest(again)));
  t.is(confirmShown(again, noon).marketplaceStatus, 'active');
  t.false(isUnconfirmed(aLiveItem(), newest(aLiveItem())));
});

test('while a change is in work nobody knows what the auction shows, not even when it was taken back', (t) => {
  const { item, asked } = begin(dearer());
  const back = emptied(itemWithPrice(item, 45_000, aCall(1)));
  t.true(needsRevision(back, newest(back)));
  const dropped = dropChange(back, asked);
  t.false(needsRevision(dropped, newest(dropped)));
});

test('a change in work keeps its request until that is known to lead nowhere', (t) => {
  const { item, asked } = begin(dearer());
  const noted = noteChangeRequest(item, asked, '77');
  t.is(newest(noted).change?.requestId, '77');
  const forgotten = forgetChangeRequest(noted, asked);
  t.is(newest(forgotten).change?.requestId, null);
  const other = { ...asked, number: asked.number + 1 };
  t.is(noteChangeRequest(item, other, '78'), item);
  t.is(dropChange(item, other), item);
});

test('what was taken is what the auction shows now, even when the item has moved on', (t) => {
  const { item, asked } = begin(dearer());
  const moved = emptied(itemWithPrice(item, 60_000, aCall(1)));
  const revised = recordRevised(moved, asked, later(2));
  t.is(newest(revised).itemPriceOre, 50_000);
  t.is(revised.content.priceOre, 60_000);
  t.true(needsRevision(revised, newest(revised)));
  t.is(revised.revision, moved.revision);
});

test('a change that a process thought dead had taken later makes everything be asked for once more', (t) => {
  const first = begin(dearer());
  const second = begin(first.item);
  const done = recordRevised(second.item, second.asked, noon);
  const astray = recordRevised(done, first.asked, later(1));
  t.true(needsRevision(astray, newest(astray)));
  t.is(astray.revision, done.revision + 1);
});

test('a revision that succeeds at last ends sync_error', (t) => {
  const { item, asked } = begin({ ...dearer(), marketplaceStatus: 'sync_error' });
  t.is(recordRevised(item, asked, noon).marketplaceStatus, 'active');
});

test('a revision taken after a late sale of an older auction leaves the item sold', (t) => {
  const { item, asked } = begin({ ...dearer(), serviceStatus: 'sold', marketplaceStatus: 'sold' });
  const leaving = changeNewestListing(item, { state: 'leaving' });
  t.is(recordRevised(leaving, asked, noon).marketplaceStatus, 'sold');
});

test('the outcome of a revision of what is over changes nothing', (t) => {
  for (const state of ['ended', 'sold', 'removed', 'failed'] as const) {
    const { item, asked } = begin(dearer());
    const over = changeNewestListing(item, { state });
    t.is(recordRevised(over, asked, noon), over);
    t.is(recordChangeRefused(over, asked, { now: noon }), over);
  }
});

test('a price refused because of bids goes back to the last one taken, and is told', (t) => {
  const { item, asked } = begin(dearer());
  const refused = recordChangeRefused(item, asked, { now: later(1) });
  t.is(refused.content.priceOre, 45_000);
  t.like(refused, { refusedPriceOre: 50_000, marketplaceStatus: 'active', serviceStatus: 'active' });
  t.is(refused.revision, item.revision + 1);
  t.true(newest(refused).hasBids);
  t.deepEqual(errorsOf(refused), ['PRICE_REFUSED_BIDS: the auction has bids, so its price stays 450 SEK']);
  t.false(needsRevision(refused, newest(refused)));
});

test('a price goes back to what the auction was seen at, where an earlier answer was lost', (t) => {
  const first = begin(dearer());
  const next = begin(emptied(itemWithPrice(first.item, 60_000, aCall(1))));
  const shownPriceOre = exactPriceOre(500, newest(first.item));
  t.is(shownPriceOre, 50_000);
  t.is(recordChangeRefused(next.item, next.asked, { now: noon, shownPriceOre }).content.priceOre, 50_000);
});

test('a price that the auction turns out to have is no refused one', (t) => {
  const first = begin(dearer());
  const again = begin(first.item);
  const seen = recordChangeRefused(again.item, again.asked, { now: noon, shownPriceOre: 50_000 });
  t.is(seen.content.priceOre, 50_000);
  t.is(seen.refusedPriceOre, null);
});

test('content refused because of bids stays stored for the next auction, and is told', (t) => {
  const { item, asked } = begin(renamed());
  const refused = recordChangeRefused(item, asked, { now: later(1) });
  t.like(refused.content, { title: 'Annan', priceOre: 45_000 });
  t.is(refused.revision, item.revision);
  t.regex(String(errorsOf(refused)[0]), /^REVISION_REFUSED_BIDS: /);
  t.false(needsRevision(refused, newest(refused)));
});

// specification: refused-because-of-bids
test('price and content refused together: the price goes back, the content stays', (t) => {
  const both = emptied(updateItem(aLiveItem(), anItemRequest({ title: 'Annan', priceOre: 50_000 }), aCall()));
  const { item, asked } = begin(both);
  const refused = recordChangeRefused(item, asked, { now: noon });
  t.like(refused.content, { title: 'Annan', priceOre: 45_000 });
  t.is(refused.outbox.length, 1);
});

test('öre that were refused along with content stay the item’s own', (t) => {
  const both = emptied(updateItem(aLiveItem(), anItemRequest({ title: 'Annan', priceOre: 45_020 }), aCall()));
  const { item, asked } = begin(both);
  const refused = emptied(recordChangeRefused(item, asked, { now: noon }));
  t.is(refused.content.priceOre, 45_020);
  const again = begin(emptied(itemWithPrice(refused, 60_000, aCall(1))));
  t.is(recordChangeRefused(again.item, again.asked, { now: noon }).content.priceOre, 45_020);
});

test('a refusal of what the item no longer asks for decides nothing', (t) => {
  const { item, asked } = begin(dearer());
  const moved = emptied(itemWithPrice(item, 60_000, aCall(1)));
  const refused = recordChangeRefused(moved, asked, { now: later(2) });
  t.is(refused.content.priceOre, 60_000);
  t.deepEqual(refused.outbox, []);
  t.true(needsRevision(refused, newest(refused)));
});

test('a change that is refused after one whose answer was lost leaves open what the auction shows', (t) => {
  const first = begin(dearer());
  const second = begin(first.item);
  const back = emptied(itemWithPrice(dropChange(second.item, second.asked), 45_000, aCall(1)));
  t.true(needsRevision(back, newest(back)));
});
