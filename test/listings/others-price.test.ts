import test from 'ava';
import { itemWithPrice } from '../../features/items/rules/change-price.ts';
import { describeStatus } from '../../features/items/rules/describe-item.ts';
import { newestListing, type Item } from '../../features/items/rules/item.ts';
import { takeOthersPrice, type ShownPrice } from '../../features/listings/rules/others-price.ts';
import {
  beginPrice,
  askedPrices,
  dropPrice,
  recordPriceRefused,
  recordPrices,
} from '../../features/listings/rules/price.ts';
import { changeNewestListing } from '../../features/listings/rules/publication.ts';
import { wholeKronorFromOre } from '../../features/rules/money.ts';
import { aCall, aLiveItem, anAd, later } from '../support/an-item.ts';

const settleMs = 1_000;
const ownKronor = wholeKronorFromOre(aLiveItem().content.priceOre);
/** It went up at noon. */
const live = (): Item => changeNewestListing(aLiveItem(), { pricedAt: later(0) });
const shown = (startPriceKronor: number, readMs: number, bids = 0): ShownPrice => ({
  adId: anAd.adId,
  bids,
  startPriceKronor,
  readAt: later(readMs),
});
const look = (item: Item, seen: ShownPrice): Item => takeOthersPrice(item, seen, { settleMs, now: later(9_000) });
const listingOf = (item: Item) => {
  const listing = newestListing(item);
  if (listing === undefined) throw new Error('no listing');
  return listing;
};
const told = ({ outbox }: Item) => outbox.filter(({ type }) => type === 'item.changed').map(({ data }) => data);

test("a price that the seller set at the marketplace becomes the item's, and is told once", (t) => {
  const changed = look(live(), shown(480, 2_000));
  t.is(describeStatus(changed).price, 480);
  t.is(listingOf(changed).itemPriceOre, 48_000);
  t.like(told(changed)[0], { what: 'price', by: 'marketplace', price: 480, previousPrice: ownKronor });
  t.like(changed.journal.at(-1), { kind: 'price_changed', actor: { kind: 'marketplace' } });
  t.is(look(changed, shown(480, 2_000)), changed);
  t.is(told(look(changed, shown(ownKronor, 3_000))).length, 2, 'back again, by its seller');
});

test('a bid is no price of the seller, nor is another auction’s or none', (t) => {
  const item = live();
  for (const one of [shown(700, 2_000, 1), shown(0, 2_000), { ...shown(700, 2_000), adId: 'another' }])
    t.is(look(item, one), item);
});

test('a look that began before our own price was settled shows an earlier price of ours', (t) => {
  const item = itemWithPrice(live(), 50_000, aCall(2_000));
  const priced = recordPrices(item, askedPrices(item, listingOf(item)), later(2_000));
  t.is(look(priced, shown(ownKronor, 1_500)), priced, 'read before the call');
  t.is(look(priced, shown(ownKronor, 2_999)), priced, 'read when lists may lag');
  t.is(describeStatus(look(priced, shown(ownKronor, 3_000))).price, ownKronor, 'its seller went back to it');
});

test('while a price of ours is owed, on its way or refused, no other price is taken', (t) => {
  const owed = itemWithPrice(live(), 50_000, aCall());
  t.is(look(owed, shown(480, 2_000)), owed);
  const asked = askedPrices(owed, listingOf(owed));
  const begun = beginPrice(owed, asked);
  t.is(look(begun, shown(480, 2_000)), begun);
  const seen = { startPriceKronor: ownKronor, reservePriceKronor: null, buyNowPriceKronor: null };
  const refused = recordPriceRefused(begun, asked, { seen, now: later(100) });
  t.is(describeStatus(look(refused, shown(480, 2_000))).price, 480, 'the refusal is over with its bids');
});

// Found by a random story: the price of the seller was never told, because the row that had shown ours was forgotten.
test("after prices of ours that crossed, and one that was dropped, the seller's is taken", (t) => {
  const begin = (item: Item, kronor: number) => {
    const wanted = itemWithPrice(item, kronor * 100, aCall());
    const asked = askedPrices(wanted, listingOf(wanted));
    return { asked, item: beginPrice(wanted, asked) };
  };
  const first = begin(look(live(), shown(ownKronor, 2_000)), 202);
  const made = recordPrices(first.item, first.asked, later(3_000));
  const last = begin(begin(made, ownKronor).item, 202);
  const dropped = dropPrice(last.item, last.asked);
  t.is(describeStatus(look(dropped, shown(1_480, 4_000))).price, 1_480);
});
