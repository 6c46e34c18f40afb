import test from 'ava';
import { orderId } from '../../features/rules/ids.ts';
import { itemWithStatus } from '../../features/items/rules/change-status.ts';
import { sellDirectly, whyNotForSale, type DirectSale } from '../../features/items/rules/direct-sale.ts';
import { describeStatus } from '../../features/items/rules/describe-item.ts';
import type { Item } from '../../features/items/rules/item.ts';
import { nextStep } from '../../features/items/rules/next-step.ts';
import { recordHammerSale } from '../../features/listings/rules/auction-end.ts';
import { changeNewestListing, openListing } from '../../features/listings/rules/publication.ts';
import { recordTakeDownRefused, recordTakenDown } from '../../features/listings/rules/delist.ts';
import { aCall, aLiveItem, anAd, anItem, anItemBeingPublished, emptied, later, noon } from '../support/an-item.ts';
import { toldBy } from '../support/told-by.ts';

const sale: DirectSale = {
  orderId: orderId('ord_a'),
  platform: 'service_card',
  amountOre: 34_950,
  feeBps: 500,
  isPaid: false,
};
const hammer = { ...anAd, orderId: orderId('ord_77'), amountOre: 72_500, feeBps: 500, soldAt: noon, isPaid: false };
const sell = (item: Item): Item => sellDirectly(item, sale, aCall(1));

test('one write sells the item, with its order, its event and a line of its history', (t) => {
  const item = aLiveItem();
  const sold = sell(item);
  t.like(sold, { serviceStatus: 'sold', openOrderIds: ['ord_a'], unpaidOrderIds: [], revision: item.revision + 1 });
  t.deepEqual(sold.pendingOrders, [{ ...sale, domain: 'other', adId: null, soldAt: later(1) } as never]);
  t.is(sold.outbox.length, 1);
  t.like(sold.outbox[0], { type: 'item.sold', sequence: item.sequence + 1 });
  t.like(sold.outbox[0]?.data, { platform: 'service_card', salePrice: 349.5, marketplaceAdId: anAd.adId });
  t.like(sold.journal[0], { kind: 'sold', actor: aCall().actor });
});

test('a sale that is known changes nothing', (t) => {
  const sold = sell(aLiveItem());
  t.is(sell(sold), sold);
});

test('its auction comes down next, and the item is shown as after PATCH sold', (t) => {
  const sold = emptied(sell(aLiveItem()));
  t.like(nextStep(sold, noon), { kind: 'take-down', publication: 1 });
  const down = recordTakenDown(sold, 1, later(2));
  const patched = recordTakenDown(emptied(itemWithStatus(aLiveItem(), 'sold', aCall(1))), 1, later(2));
  t.deepEqual(describeStatus(down), describeStatus(patched));
  t.like(describeStatus(down), { serviceStatus: 'sold', marketplaceStatus: 'ended', marketplaceAdId: anAd.adId });
});

for (const serviceStatus of ['draft', 'active', 'not_listed'] as const) {
  test(`an item that is ${serviceStatus} can be sold, and an item that never had an auction names none`, (t) => {
    const item = anItem({ serviceStatus });
    t.is(whyNotForSale(item), null);
    t.like(sell(item), { serviceStatus: 'sold', marketplaceStatus: 'pending_sync', wantedPublication: 0 });
    t.is(sell(item).outbox[0]?.data['marketplaceAdId'], null);
  });
}

test('a publication on its way is followed to its end and then taken down', (t) => {
  const sold = emptied(sell(anItemBeingPublished('committing')));
  t.like(nextStep(sold, noon), { kind: 'go-live' });
  t.is(sell(anItemBeingPublished('committing')).outbox[0]?.data['marketplaceAdId'], null);
});

// specification: a-direct-sale-of
test('what is sold, has an order in progress or an auction with bids is not for sale, each with its reason', (t) => {
  t.regex(whyNotForSale(anItem({ serviceStatus: 'sold' })) ?? '', /sold already/);
  t.regex(whyNotForSale(sell(aLiveItem())) ?? '', /order .* in progress: ord_a/);
  const back = { ...sell(aLiveItem()), serviceStatus: 'not_listed' as const };
  t.regex(whyNotForSale(back) ?? '', /in progress/);
  const withBids = changeNewestListing(aLiveItem(), { hasBids: true });
  t.regex(whyNotForSale(withBids) ?? '', /bids/);
  t.regex(
    whyNotForSale(changeNewestListing(aLiveItem(), { seen: { bids: 2, priceKronor: 500, endsAt: null, at: noon } })) ??
      '',
    /bids/,
    'seen by the last look',
  );
  t.is(whyNotForSale(changeNewestListing(withBids, { state: 'ended' })), null);
});

test('sold twice: a winner of the auction that bids kept up is a second order, and the history says so', (t) => {
  const held = recordTakeDownRefused(emptied(sell(aLiveItem())), 1, later(2));
  const [told] = held.outbox;
  t.like(told, { type: 'listing.failed' });
  t.regex(String(told?.data['error']), /^TAKEDOWN_REFUSED_BIDS: .*second order/);
  t.like(describeStatus(held), { serviceStatus: 'sold', marketplaceStatus: 'active' });
  const twice = recordHammerSale(emptied(held), hammer, later(3));
  t.like(twice, { serviceStatus: 'sold', marketplaceStatus: 'sold', openOrderIds: ['ord_a', 'ord_77'] });
  t.like(twice.outbox[0], { type: 'item.sold' });
  t.like(twice.journal[0], { kind: 'sold', details: { price: 725, otherOrderIds: ['ord_a'] } });
  t.regex(toldBy(twice), /won at 725 SEK.*ord_a.*sold twice/);
});

test('a sale that the feed tells of later than the direct one is a second order too', (t) => {
  const twice = recordHammerSale(recordTakenDown(emptied(sell(aLiveItem())), 1, later(2)), hammer, later(3));
  t.deepEqual(twice.openOrderIds, ['ord_a', 'ord_77']);
  const once = recordHammerSale(aLiveItem(), hammer, later(3));
  t.like(once.journal[0], { kind: 'sold', details: { otherOrderIds: [] } });
});

test('a sale names the auction that the status shows: none after a publication that failed', (t) => {
  const ended = { ...anItemBeingPublished('ended'), marketplaceStatus: 'ended' } as const;
  const failed = changeNewestListing(openListing({ ...ended, wantedPublication: 2 }, noon), { state: 'failed' });
  const sold = sell(emptied({ ...failed, marketplaceStatus: 'sync_error' }));
  t.is(describeStatus(sold).marketplaceAdId, null);
  t.is(sold.outbox[0]?.data['marketplaceAdId'], null);
});
