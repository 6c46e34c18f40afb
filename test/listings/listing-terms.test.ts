import test from 'ava';
import { orderId } from '../../features/rules/ids.ts';
import type { Item } from '../../features/items/rules/item.ts';
import { itemWithPrice } from '../../features/items/rules/change-price.ts';
import { describeItem, describeStatus } from '../../features/items/rules/describe-item.ts';
import { publishItem } from '../../features/items/rules/publish-item.ts';
import { updateItem } from '../../features/items/rules/upsert-item.ts';
import { recordAuctionEnded, recordHammerSale, recordSeen } from '../../features/listings/rules/auction-end.ts';
import { endAheadOf, startAheadOf, type ListingTerms } from '../../features/listings/rules/listing-terms.ts';
import { changeNewestListing, openListing } from '../../features/listings/rules/publication.ts';
import { aCall, aLiveItem, anAd, anItem, anItemBeingPublished, emptied, later, noon } from '../support/an-item.ts';
import { anItemRequest } from '../support/an-item-request.ts';

const withTerms = (item: Item, listing: ListingTerms | null): Item => ({
  ...item,
  content: { ...item.content, listing },
});
const pushed = (item: Item, listing: ListingTerms | null): Item =>
  updateItem(item, anItemRequest({ listing }), aCall(1));
const live = (listing: ListingTerms | null = null): Item => withTerms(aLiveItem(), listing);
const ended = (item: Item): Item => emptied(recordAuctionEnded(item, anAd, later(1)));

test('a draft that is not up is made anew with whatever terms changed', (t) => {
  const prepared = anItemBeingPublished('prepared');
  t.is(pushed(prepared, { durationDays: 3 }).contentNumber, prepared.contentNumber + 1);
});

test('an equal push of terms changes nothing', (t) => {
  const item = live({ relist: { times: 1 }, durationDays: 3 });
  t.is(pushed(item, { durationDays: 3, relist: { times: 1 } }), item);
});

test('an auction without a winner is put up again as often as asked, cheaper each time', (t) => {
  const terms = { relist: { times: 2, priceStep: 100 } };
  const first = ended(live(terms));
  t.like(first, { wantedPublication: 2, relisted: { times: 1, loweredOre: 10_000 } });
  t.is(describeStatus(first).price, 350);
  const again = ended(changeNewestListing(openListing(first, later(2)), { state: 'live', adId: anAd.adId }));
  t.like(again, { wantedPublication: 2 }, 'the old ad is over, the same id counts once');
  const second = ended(changeNewestListing(openListing(first, later(2)), { state: 'live', adId: '9002' }));
  t.is(second.wantedPublication, 2, 'the end of another ad');
  const end = { adId: '9002', adUrl: anAd.adUrl };
  const up = changeNewestListing(openListing(first, later(2)), { state: 'live', adId: '9002' });
  const twice = emptied(recordAuctionEnded(up, end, later(3)));
  t.like(twice, { wantedPublication: 3, relisted: { times: 2, loweredOre: 20_000 } });
  const upAgain = changeNewestListing(openListing(twice, later(4)), { state: 'live', adId: '9003' });
  const over = recordAuctionEnded(upAgain, { ...end, adId: '9003' }, later(5));
  t.like(over, { wantedPublication: 3, marketplaceStatus: 'ended' });
});

test('the price goes no lower than one krona', (t) => {
  const item = ended(live({ relist: { times: 1, priceStep: 10_000 } }));
  t.is(describeStatus(item).price, 1);
});

test('nothing is put up again that its owner has taken off', (t) => {
  const item = { ...live({ relist: { times: 2 } }), serviceStatus: 'not_listed' } as const;
  t.is(ended(item).wantedPublication, 1);
});

test('a price, a publication by hand and a sale begin anew', (t) => {
  const lowered = ended(live({ relist: { times: 2, priceStep: 100 } }));
  t.is(describeStatus(itemWithPrice(lowered, 45_000, aCall(2))).price, 450);
  t.is(describeStatus(pushed(lowered, { ...lowered.content.listing, durationDays: 3 })).price, 350);
  const up = { ...lowered, listings: ended(live()).listings, wantedPublication: 1 };
  t.deepEqual(publishItem(up, aCall(2)).relisted, { times: 0, loweredOre: 0 });
  const sale = { ...anAd, orderId: orderId('ord_77'), amountOre: 50_000, feeBps: 0, soldAt: noon, isPaid: false };
  t.deepEqual(recordHammerSale(lowered, sale, later(2)).relisted, { times: 0, loweredOre: 0 });
});

test('terms of the account count where the item has none of its own', (t) => {
  const asAccount = changeNewestListing(live(), { defaults: { relist: { times: 1 } } });
  t.is(ended(asAccount).wantedPublication, 2);
});

test('a start and an end count while they are ahead', (t) => {
  const [before, after] = [later(-1).toISOString(), later(1).toISOString()];
  t.is(startAheadOf(withTerms(anItem(), { startsAt: before }), noon), null);
  t.deepEqual(startAheadOf(withTerms(anItem(), { startsAt: after }), noon), later(1));
  t.is(endAheadOf({ endsAt: before }, noon), null);
  t.deepEqual(endAheadOf({ endsAt: after }, noon), later(1));
});

test('what a look shows is read with its time, and the same again changes nothing', (t) => {
  const seen = { bids: 2, priceKronor: 500, endsAt: later(1_000), at: noon };
  const item = recordSeen(live(), anAd.adId, seen);
  t.is(item.revision, live().revision);
  t.is(recordSeen(item, anAd.adId, { ...seen, at: later(60_000), endsAt: later(1_000) }), item);
  t.is(recordSeen(ended(item), anAd.adId, { ...seen, bids: 3 }).listings[0]?.seen?.bids, 2);
  const { auction } = describeItem(item, () => '');
  t.deepEqual(auction, { bids: 2, currentPrice: 500, seenAt: noon.toISOString(), endsAt: later(1_000).toISOString() });
  t.is(describeItem(ended(item), () => '').auction, null);
});
