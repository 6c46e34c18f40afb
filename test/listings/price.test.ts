import test from 'ava';
import { itemWithPrice } from '../../features/items/rules/change-price.ts';
import type { Item, Listing } from '../../features/items/rules/item.ts';
import { updateItem } from '../../features/items/rules/upsert-item.ts';
import { changeNewestListing } from '../../features/listings/rules/publication.ts';
import {
  askedPrices,
  beginPrice,
  confirmShown,
  dropPrice,
  isUnconfirmed,
  needsPrice,
  recordPriceRefused,
  recordPrices,
  showsPrices,
  keptReserveWarnings,
} from '../../features/listings/rules/price.ts';
import { aCall, aLiveItem, emptied, later, noon } from '../support/an-item.ts';
import { anItemRequest } from '../support/an-item-request.ts';

function newest(item: Item): Listing {
  const listing = item.listings.at(-1);
  if (listing === undefined) throw new Error('no listing');
  return listing;
}
const dearer = (ore = 50_000, item = aLiveItem()): Item => emptied(itemWithPrice(item, ore, aCall()));
const pushed = (change: object): Item => emptied(updateItem(aLiveItem(), anItemRequest(change), aCall()));
const needs = (item: Item): boolean => needsPrice(item, newest(item));
const begin = (item: Item) => {
  const asked = askedPrices(item, newest(item));
  return { item: beginPrice(item, asked), asked };
};
const seenAt = (startPriceKronor: number) => ({ startPriceKronor, reservePriceKronor: null, buyNowPriceKronor: null });
const errorsOf = (item: Item): unknown[] => item.outbox.map(({ data }) => data['error']);

test('a live auction needs a call for a price in other kronor, a reserve price and a buy-now price, and for nothing else', (t) => {
  t.false(needs(aLiveItem()));
  t.true(needs(dearer()));
  t.false(needs(dearer(45_049)));
  t.true(needs(dearer(45_050)));
  t.true(needs(pushed({ listing: { reservePrice: 600 } })));
  t.true(needs(pushed({ listing: { buyNowPrice: 900 } })));
  t.false(needs(pushed({ title: 'Annan' })));
  t.false(needs(pushed({ listing: { vatPercent: 25 } })));
});

test('a reserve price can not be taken off a running auction, a buy-now price can', (t) => {
  t.false(needs(changeNewestListing(aLiveItem(), { reserveKronor: 600 })));
  t.true(needs(changeNewestListing(aLiveItem(), { buyNowKronor: 900 })));
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

test('while a call is under way the auction’s prices are unknown, even when the price was taken back', (t) => {
  const { item, asked } = begin(dearer());
  const back = emptied(itemWithPrice(item, 45_000, aCall(1)));
  t.true(needs(back));
  t.false(isUnconfirmed(back, newest(back)));
  t.false(needs(dropPrice(back, asked)));
});

test('what was read because of an earlier call is what the auction has', (t) => {
  const { item } = begin(dearer(50_040));
  const back = emptied(itemWithPrice(item, 45_000, aCall(1)));
  const read = beginPrice(back, askedPrices(back, newest(back)), { ...seenAt(500), buyNowPriceKronor: 900 });
  t.like(newest(read), { itemPriceOre: 50_040, buyNowKronor: 900, askedPriceOre: 45_000 });
});

test('a price that was taken is the auction’s, told to its timeline, and ends a failure', (t) => {
  const changed: Item = { ...dearer(), marketplaceStatus: 'sync_error' };
  const { item, asked } = begin(changed);
  const priced = recordPrices(item, asked, later(5));
  t.true(showsPrices(priced, newest(priced)));
  t.like(priced, { marketplaceStatus: 'active', processing: { stage: 'published' } });
  t.deepEqual(newest(priced).pricedAt, later(5));
  t.like(priced.journal.at(-1), { kind: 'repriced', details: { price: 500 } });
  const reserve = pushed({ listing: { reservePrice: 600 } });
  const set = recordPrices(reserve, askedPrices(reserve, newest(reserve)), noon);
  t.is(newest(set).reserveKronor, 600);
  t.like(set.journal.at(-1), { details: { price: null } });
});

test('prices of an auction that is over change nothing', (t) => {
  const { item, asked } = begin(dearer());
  const over = changeNewestListing(item, { state: 'ended' });
  t.is(recordPrices(over, asked, noon), over);
  t.is(recordPriceRefused(over, asked, { seen: seenAt(450), now: noon }), over);
  t.is(dropPrice(over, asked), over);
});

test('a price refused because of bids goes back to what the auction has, is told once, and is held', (t) => {
  const { item, asked } = begin(dearer());
  const refused = recordPriceRefused(item, asked, { seen: seenAt(450), now: later(1) });
  t.like(refused, { content: { priceOre: 45_000 }, refusedPriceOre: 50_000, revision: item.revision + 1 });
  t.like(newest(refused), { hasBids: true, askedPriceOre: null, refusedRevision: refused.revision });
  t.deepEqual(errorsOf(refused), ['PRICE_REFUSED_BIDS: the auction has bids, so its price stays 450 SEK']);
  t.false(needs(refused));
  t.is(emptied(itemWithPrice(refused, 50_000, aCall(2))).content.priceOre, 45_000, 'the same again is held');
});

test('a reserve or buy-now price that bids refuse is kept for the next auction', (t) => {
  const changed = pushed({ listing: { buyNowPrice: 900 } });
  const asked = askedPrices(changed, newest(changed));
  const refused = recordPriceRefused(changed, asked, { seen: seenAt(450), now: later(1) });
  t.deepEqual(refused.content.listing, { buyNowPrice: 900 });
  t.regex(String(errorsOf(refused)[0]), /^PRICE_REFUSED_BIDS: .*kept for the next auction$/);
  t.false(needs(refused));
});

test('a refusal of what the item no longer wants leaves its new state to be sent', (t) => {
  const { item, asked } = begin(dearer());
  const newer = emptied(itemWithPrice(item, 60_000, aCall(1)));
  const refused = recordPriceRefused(newer, asked, { seen: seenAt(450), now: later(2) });
  t.is(refused.content.priceOre, 60_000);
  t.deepEqual(errorsOf(refused), []);
  t.true(needs(refused));
});

test('a price at or above a reserve price that the running auction keeps is warned of', (t) => {
  const kept = changeNewestListing(aLiveItem(), { reserveKronor: 600 });
  t.deepEqual(keptReserveWarnings(kept, 59_949), []);
  t.like(keptReserveWarnings(kept, 59_950), [{ code: 'reserve_kept', params: { reservePrice: 600 } }]);
  t.deepEqual(keptReserveWarnings(changeNewestListing(kept, { state: 'ended' }), 70_000), []);
  t.deepEqual(keptReserveWarnings(aLiveItem(), 70_000), []);
});
