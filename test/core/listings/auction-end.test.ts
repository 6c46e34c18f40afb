import test from 'ava';
import type { Item } from '../../../core/items/item.ts';
import { recordAdRemoved, recordAuctionEnded, recordHammerSale } from '../../../core/listings/auction-end.ts';
import { recordLive } from '../../../core/listings/publication.ts';
import { anItemBeingPublished, later, noon } from '../../support/an-item.ts';

const seen = { adId: '9001', adUrl: 'https://marketplace.example/item/9001' };
const sale = { ...seen, transactionId: '77', amountOre: 72_500, soldAt: noon };
const live = (): Item => ({ ...recordLive(anItemBeingPublished('committing'), seen, noon), outbox: [] });
const typesOf = (item: Item): string[] => item.outbox.map(({ type }) => type);

test('a sale makes the item sold and owes an order, an event and work', (t) => {
  const sold = recordHammerSale(live(), sale, later(1));
  t.like(sold, { serviceStatus: 'sold', marketplaceStatus: 'sold', revision: 2, openOrderIds: ['ord_77'] });
  t.like(sold.pendingOrders[0], { orderId: 'ord_77', amountOre: 72_500 });
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

test('an ad that somebody took down on the marketplace ends without an event', (t) => {
  const removed = recordAdRemoved(live(), seen, later(1));
  t.like(removed, { marketplaceStatus: 'ended', serviceStatus: 'active' });
  t.is(removed.listings[0]?.state, 'removed');
  t.deepEqual(typesOf(removed), []);
});

test('a late sale of a deleted item makes it archived', (t) => {
  t.is(recordHammerSale({ ...live(), current: false }, sale, later(1)).serviceStatus, 'archived');
});

test('the end of an unknown ad is not this item’s', (t) => {
  const item = live();
  t.is(recordAuctionEnded(item, { ...seen, adId: '1' }, noon), item);
});
