import test from 'ava';
import { orderId } from '../../features/rules/ids.ts';
import { itemWithStatus } from '../../features/items/rules/change-status.ts';
import { itemWithQuantity } from '../../features/items/rules/change-quantity.ts';
import { sellDirectly, whyNotForSale } from '../../features/items/rules/direct-sale.ts';
import { describeStatus } from '../../features/items/rules/describe-item.ts';
import type { Item } from '../../features/items/rules/item.ts';
import { nextStep } from '../../features/items/rules/next-step.ts';
import { isPublishable } from '../../features/items/rules/publish-item.ts';
import { updateItem } from '../../features/items/rules/upsert-item.ts';
import { recordAuctionEnded, recordHammerSale } from '../../features/listings/rules/auction-end.ts';
import { changeNewestListing, openListing } from '../../features/listings/rules/publication.ts';
import { aCall, aLiveItem, anAd, anItem, emptied, later, noon } from '../support/an-item.ts';
import { anItemRequest } from '../support/an-item-request.ts';

const counted = (item: Item, left: number): Item => ({
  ...item,
  content: { ...item.content, quantity: left },
  quantityLeft: left,
});
const live = (left: number): Item => counted(aLiveItem(), left);
const sale = (transactionId = '77', adId: string = anAd.adId) => ({
  adId,
  adUrl: anAd.adUrl,
  orderId: orderId(`ord_${transactionId}`),
  amountOre: 50_000,
  feeBps: 0,
  soldAt: noon,
  isPaid: false,
});
const sold = (item: Item, of = sale()): Item => recordHammerSale(item, of, later(1));
const told = (item: Item) => item.outbox.map(({ type, data }) => [type, data['quantityLeft']]);
const pushed = (item: Item, quantity: number | null): Item => updateItem(item, anItemRequest({ quantity }), aCall(2));
const changed = (item: Item, quantity: number): Item => itemWithQuantity(item, quantity, aCall(2));

test('of several one is counted down by a sale, and the same write asks for the next auction', (t) => {
  const item = sold(live(3));
  t.like(item, { quantityLeft: 2, serviceStatus: 'active', wantedPublication: 2, openOrderIds: ['ord_77'] });
  t.deepEqual(told(item), [['item.sold', 2]]);
  t.is(nextStep(emptied(item), later(2)).kind, 'open-listing');
  t.is(describeStatus(item).quantity, 2);
});

test('the last one is sold like an item that is one thing', (t) => {
  const item = sold(live(1));
  t.like(item, { quantityLeft: 0, serviceStatus: 'sold', marketplaceStatus: 'sold', wantedPublication: 1 });
  t.deepEqual(told(item), [['item.sold', 0]]);
  t.is(nextStep(emptied(item), later(2)).kind, 'settle');
});

test('an item that is one thing is told of and shown without a number', (t) => {
  const item = sold(aLiveItem());
  t.false(Object.hasOwn(item.outbox[0]?.data ?? {}, 'quantityLeft'));
  t.false(Object.hasOwn(describeStatus(item), 'quantity'));
});

test('the same sale seen again, and another buyer of the same auction, count nothing more', (t) => {
  const once = sold(live(3));
  t.is(sold(once), once);
  t.like(sold(once, sale('78')), { quantityLeft: 2, wantedPublication: 2 });
  t.is(sold(once, sale('78')).journal.at(-1)?.kind, 'sold');
});

test('the late sale of an older auction leaves a newer one up, until none is left', (t) => {
  const ended = emptied(recordAuctionEnded(live(2), anAd, later(1)));
  const newer = changeNewestListing(openListing({ ...ended, wantedPublication: 2 }, later(2)), {
    state: 'live',
    adId: '9002',
  });
  const up = { ...newer, marketplaceStatus: 'active' } as const;
  t.like(sold(up), { quantityLeft: 1, serviceStatus: 'active', marketplaceStatus: 'active', wantedPublication: 2 });
  t.is(sold(up).listings.at(-1)?.state, 'live');
  t.like(sold(counted(up, 1)), { quantityLeft: 0, serviceStatus: 'sold' });
  t.is(sold(counted(up, 1)).listings.at(-1)?.state, 'leaving');
});

test('what its owner has taken off stays off when its auction is sold all the same', (t) => {
  const off = itemWithStatus(live(3), 'not_listed', aCall());
  t.like(sold(off), { quantityLeft: 2, serviceStatus: 'not_listed', wantedPublication: 1 });
});

test('PATCH: a number that it has changes nothing, another is noted', (t) => {
  const item = live(3);
  t.is(changed(item, 3), item);
  const more = changed(item, 5);
  t.like(more, { quantityLeft: 5, revision: item.revision + 1, wantedPublication: 1 });
  t.like(more.journal.at(-1), { kind: 'quantity_changed', details: { from: 3, to: 5 } });
});

test('PATCH 0 takes the auction down, and more puts up again what was ever to be published', (t) => {
  const none = emptied(changed(live(3), 0));
  t.like(none, { serviceStatus: 'sold', quantityLeft: 0 });
  t.is(nextStep(none, later(3)).kind, 'take-down');
  t.like(changed(none, 2), { serviceStatus: 'active', quantityLeft: 2, wantedPublication: 2 });
  const unasked = changed(counted(anItem({ wantedPublication: 0 }), 2), 0);
  t.like(changed(emptied(unasked), 2), { serviceStatus: 'active', wantedPublication: 0 });
  const notBegun = changed(counted(anItem(), 2), 0);
  t.like(changed(emptied(notBegun), 2), { serviceStatus: 'active', wantedPublication: 1 });
});

test('an item that is marked as sold has none left', (t) => {
  t.like(itemWithStatus(live(3), 'sold', aCall()), { serviceStatus: 'sold', quantityLeft: 0 });
});

test('a new item of which there is none is not put up before there are some', (t) => {
  const none = counted(anItem(), 0);
  t.is(nextStep(none, later(1)).kind, 'settle');
  t.false(isPublishable(none));
  t.is(nextStep(emptied(changed(none, 2)), later(3)).kind, 'open-listing');
});

test('a push sets the number when it says another than before, and never counts a sale back', (t) => {
  const after = emptied(sold(live(3)));
  t.is(pushed(after, 3), after);
  t.is(pushed(after, null), after);
  t.like(pushed(after, 9), { quantityLeft: 9, contentNumber: after.contentNumber });
  t.like(pushed(emptied(sold(live(1))), 4), { quantityLeft: 4, serviceStatus: 'active', wantedPublication: 2 });
});

test('a first number that says the one there was puts up nothing that is sold; another number counts', (t) => {
  const one = emptied(sold(aLiveItem()));
  t.like(pushed(one, 1), { quantityLeft: 0, serviceStatus: 'sold', wantedPublication: 1 });
  t.is(nextStep(emptied(pushed(one, 1)), later(3)).kind, 'settle');
  t.like(pushed(emptied(pushed(one, 1)), 2), { quantityLeft: 2, serviceStatus: 'active', wantedPublication: 2 });
  t.like(pushed(aLiveItem(), 1), { quantityLeft: 1, serviceStatus: 'active' });
  t.like(changed(one, 1), { quantityLeft: 1, serviceStatus: 'active', wantedPublication: 2 });
});

test('a direct sale takes one of several beside the auction; the last takes the auction down', (t) => {
  const direct = (item: Item, id = 'ord_1'): Item => {
    const order = { orderId: orderId(id), platform: 'service_card', amountOre: 100, feeBps: 0, isPaid: true } as const;
    return sellDirectly(item, order, aCall(1));
  };
  const withBids = changeNewestListing(live(2), { hasBids: true });
  t.is(whyNotForSale(withBids), null);
  const one = direct(withBids);
  t.like(one, { quantityLeft: 1, serviceStatus: 'active' });
  t.is(one.listings[0]?.state, 'live');
  t.regex(whyNotForSale(one) ?? '', /has bids/);
  t.is(whyNotForSale(direct(live(2))), null, 'an open order of another piece is no obstacle');
  const last = direct(direct(live(2)), 'ord_2');
  t.like(last, { quantityLeft: 0, serviceStatus: 'sold', openOrderIds: ['ord_1', 'ord_2'] });
  t.is(last.listings[0]?.state, 'leaving');
});
