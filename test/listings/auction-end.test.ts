import test from 'ava';
import { orderId } from '../../features/rules/ids.ts';
import type { Item, ListingState } from '../../features/items/rules/item.ts';
import { describeStatus } from '../../features/items/rules/describe-item.ts';
import {
  closeOrder,
  recordAdRemoved,
  recordAuctionEnded,
  recordHammerSale,
} from '../../features/listings/rules/auction-end.ts';
import {
  changeNewestListing,
  openListing,
  recordDraft,
  recordLive,
} from '../../features/listings/rules/publication.ts';
import { recordTakenDown } from '../../features/listings/rules/delist.ts';
import { anItemBeingPublished, emptied, later, noon } from '../support/an-item.ts';

const seen = { adId: '9001', adUrl: 'https://marketplace.example/item/9001' };
const sale = { ...seen, orderId: orderId('ord_77'), amountOre: 72_500, feeBps: 500, soldAt: noon, isPaid: false };
const live = (): Item => ({ ...recordLive(anItemBeingPublished('committing'), seen, noon), outbox: [], journal: [] });
const typesOf = (item: Item): string[] => item.outbox.map(({ type }) => type);

test('a sale makes the item sold and owes an order, an event and work', (t) => {
  const sold = recordHammerSale(live(), sale, later(1));
  t.like(sold, { serviceStatus: 'sold', marketplaceStatus: 'sold', revision: 2, openOrderIds: ['ord_77'] });
  t.like(sold.pendingOrders[0], { orderId: 'ord_77', amountOre: 72_500, feeBps: 500 });
  t.deepEqual(typesOf(sold), ['item.sold']);
});

test('the same sale or end seen again changes nothing', (t) => {
  const sold = recordHammerSale(live(), sale, later(1));
  t.is(recordHammerSale(sold, sale, later(2)), sold);
  t.is(recordAuctionEnded(sold, seen, later(2)), sold);
  const ended = recordAuctionEnded(live(), seen, later(1));
  t.is(recordAuctionEnded(ended, seen, later(2)), ended);
});

test('an end that is seen before the start was confirmed tells the start first', (t) => {
  const committing = anItemBeingPublished('committing');
  t.deepEqual(typesOf(recordAuctionEnded(committing, seen, noon)), ['listing.created', 'listing.ended']);
  const sold = recordHammerSale(committing, sale, noon);
  t.deepEqual(typesOf(sold), ['listing.created', 'item.sold']);
  t.is(sold.listings[0]?.adUrl, seen.adUrl);
});

test('an ad that somebody took down on the marketplace ends without an event of the specification', (t) => {
  const removed = recordAdRemoved(live(), seen, later(1));
  t.like(removed, { marketplaceStatus: 'ended', serviceStatus: 'active' });
  t.is(removed.listings[0]?.state, 'removed');
  t.deepEqual(typesOf(removed), ['item.changed']);
});

test('a late sale of a deleted item makes it archived', (t) => {
  t.is(recordHammerSale({ ...live(), current: false }, sale, later(1)).serviceStatus, 'archived');
});

test('the end of an unknown ad is not this item’s', (t) => {
  const item = live();
  t.is(recordAuctionEnded(item, { ...seen, adId: '1' }, noon), item);
});

// --- late, twice, early

const secondAd = { adId: '9002', adUrl: 'https://marketplace.example/item/9002' };
/** The first auction ended without a winner, the second is in `state`. */
function publishedAgain(state: ListingState): Item {
  const ended = { ...recordAuctionEnded(live(), seen, noon), outbox: [], journal: [], wantedPublication: 2 };
  const again = recordDraft(openListing(ended, noon), { requestId: '502', adId: secondAd.adId });
  return changeNewestListing(again, { state });
}

test('a late sale of an older auction counts, and what is up besides comes down', (t) => {
  const sold = recordHammerSale({ ...publishedAgain('live'), marketplaceStatus: 'active' }, sale, later(1));
  t.deepEqual(
    sold.listings.map(({ state }) => state),
    ['sold', 'leaving'],
  );
  t.like(sold, { serviceStatus: 'sold', marketplaceStatus: 'sold', openOrderIds: ['ord_77'] });
});

test('a late sale calls off what is being prepared, and has what may be up followed', (t) => {
  for (const state of ['drafting', 'prepared'] as const)
    t.is(recordHammerSale(publishedAgain(state), sale, later(1)).listings[1]?.state, 'cancelled');
  const following = recordHammerSale(publishedAgain('committing'), sale, later(1));
  t.is(following.listings[1]?.state, 'committing');
  const up = recordLive(following, secondAd, later(2));
  t.is(up.listings[1]?.state, 'leaving');
  t.is(up.marketplaceStatus, 'sold');
});

test('a sale of an auction that has to leave is a sale', (t) => {
  for (const serviceStatus of ['not_listed', 'sold'] as const) {
    const leaving = changeNewestListing({ ...live(), serviceStatus }, { state: 'leaving' });
    t.like(recordHammerSale(leaving, sale, later(1)), { serviceStatus: 'sold', marketplaceStatus: 'sold' });
  }
});

test('a sale of a deleted item brings it back into sight', (t) => {
  const deleted = { ...live(), current: false, removedAt: noon, purgeAt: later(9) };
  t.like(recordHammerSale(deleted, sale, later(1)), {
    current: false,
    removedAt: null,
    purgeAt: null,
    serviceStatus: 'archived',
    marketplaceStatus: 'sold',
  });
});

test('the end of an older auction is history', (t) => {
  const again = { ...publishedAgain('live'), marketplaceStatus: 'active' } as const;
  const reopened = {
    ...again,
    listings: again.listings.map((l, n) => (n === 0 ? { ...l, state: 'failed' as const } : l)),
  };
  const ended = recordAuctionEnded(reopened, seen, later(1));
  t.is(ended.marketplaceStatus, 'active');
  t.deepEqual(typesOf(ended), ['listing.ended']);
});

test('an end or a sale of what was thought a draft tells the beginning first', (t) => {
  for (const state of ['drafting', 'prepared'] as const) {
    const sent = changeNewestListing(anItemBeingPublished(state), { mayBeCommitted: true });
    t.deepEqual(typesOf(recordAuctionEnded(sent, seen, noon)), ['listing.created', 'listing.ended']);
    t.deepEqual(typesOf(recordHammerSale(sent, sale, noon)), ['listing.created', 'item.sold']);
  }
});

test('a draft that was called off and removed is no auction that was taken down', (t) => {
  const cancelled = anItemBeingPublished('cancelled');
  t.is(recordAdRemoved(cancelled, seen, noon), cancelled);
});

test('an end frees a price that was refused because of bids', (t) => {
  const refused = { ...live(), refusedPriceOre: 50_000 };
  t.is(recordAuctionEnded(refused, seen, later(1)).refusedPriceOre, null);
  t.is(recordAdRemoved(refused, seen, later(1)).refusedPriceOre, null);
});

test('a sold item stays sold when the end of its newest auction is seen', (t) => {
  const sold = { ...publishedAgain('live'), serviceStatus: 'sold', marketplaceStatus: 'sold' } as const;
  t.is(recordAuctionEnded(sold, secondAd, later(1)).marketplaceStatus, 'sold');
  t.is(recordAdRemoved(sold, secondAd, later(1)).marketplaceStatus, 'sold');
});

test('a closed order holds the item no longer, once', (t) => {
  const sold = recordHammerSale(live(), sale, later(1));
  const [order] = sold.openOrderIds;
  if (order === undefined) return t.fail('no order');
  const closed = closeOrder(sold, order, later(2));
  t.like(closed, { openOrderIds: [], serviceStatus: 'sold', revision: sold.revision + 1 });
  t.is(closeOrder(closed, order, later(3)), closed);
});

test('another buyer of the same auction is another order, told on its own; each of them is known once', (t) => {
  const first = emptied(recordHammerSale(live(), sale, later(1)));
  const other = { ...sale, orderId: orderId('ord_78'), amountOre: 70_000 };
  const second = recordHammerSale(first, other, later(2));
  t.deepEqual(second.openOrderIds, ['ord_77', 'ord_78']);
  t.like(second.pendingOrders[0], { orderId: 'ord_78', amountOre: 70_000 });
  t.deepEqual(typesOf(second), ['item.sold']);
  t.true(second.outbox[0]?.eventId !== recordHammerSale(live(), sale, later(1)).outbox[0]?.eventId);
  for (const known of [sale, other]) t.is(recordHammerSale(second, known, later(3)), second);
});

test('the end of an older auction keeps the price that the newer one refused, and what the item waits for', (t) => {
  const [first, ...others] = publishedAgain('live').listings;
  if (first === undefined) return t.fail('no listing');
  const processing = { ...live().processing, stage: 'pricing', waitingFor: 'marketplace' } as const;
  const listings = [{ ...first, state: 'leaving' as const }, ...others];
  const item = { ...publishedAgain('live'), listings, refusedPriceOre: 50_000, processing };
  for (const end of [recordAuctionEnded, recordAdRemoved])
    t.like(end(item, seen, later(1)), { refusedPriceOre: 50_000, processing });
  t.is(recordAuctionEnded(item, secondAd, later(1)).refusedPriceOre, null);
});

test('an item sold by an older auction shows that one, also once the newer auction is down', (t) => {
  const sold = recordHammerSale({ ...publishedAgain('live'), marketplaceStatus: 'active' }, sale, later(1));
  for (const item of [sold, recordTakenDown(sold, 2, later(2))])
    t.like(describeStatus(item), { marketplaceStatus: 'sold', marketplaceAdId: '9001', marketplaceAdUrl: seen.adUrl });
});
