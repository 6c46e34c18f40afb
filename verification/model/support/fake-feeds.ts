import type { ItemId, OrderId } from '../../../features/rules/ids.ts';
import {
  hammerOrderId,
  recordAdRemoved,
  recordAuctionEnded,
  recordFoundUp,
  recordHammerSale,
  recordPaid,
} from '../../../features/listings/rules/auction-end.ts';
import { rewriteItem } from '../../../features/items/write-item.ts';
import { anAccountId } from '../../../test/support/an-item.ts';
import type { FakeItems } from './fake-items.ts';
import { adUrlOf, type Auction } from './fake-marketplace.ts';
import type { FakeOrders } from './fake-orders.ts';

export interface FeedSurroundings {
  readonly items: FakeItems;
  readonly orders: FakeOrders;
  /** Called before a payment is written down. */
  readonly onPaid: (id: ItemId, order: OrderId) => void;
  readonly now: () => Date;
}

/** The feeds are read: sales with their payments first, then ends. */
export async function readFeeds(auctions: readonly Auction[], around: FeedSurroundings): Promise<void> {
  for (const auction of auctions) if (auction.state === 'sold') await observeSale(auction, around);
  for (const auction of auctions) {
    if (auction.wasUp && (auction.state === 'ended' || auction.state === 'removed')) await observeEnd(auction, around);
    if (auction.state === 'active') await observeUp(auction, around);
  }
}

async function observeUp(auction: Auction, around: FeedSurroundings): Promise<void> {
  const { items, now } = around;
  const id = itemOf(auction, around);
  if (id !== undefined)
    await rewriteItem(items, { accountId: anAccountId, id }, (item) => recordFoundUp(item, auction.adId, now()));
}

async function observeSale(auction: Auction, around: FeedSurroundings): Promise<void> {
  const { items, orders, onPaid, now } = around;
  const { adId, transactionId, priceKronor, bids, isPaid } = auction;
  const id = itemOf(auction, around);
  if (id === undefined || transactionId === null) return;
  const amountOre = (priceKronor + bids) * 100;
  const order = hammerOrderId(transactionId, { isSandbox: false });
  const sale = { adId, adUrl: adUrlOf(adId), orderId: order, amountOre, feeBps: 500, soldAt: now(), isPaid };
  await rewriteItem(items, { accountId: anAccountId, id }, (item) => recordHammerSale(item, sale, now()));
  if (!isPaid) return;
  onPaid(id, order);
  await rewriteItem(items, { accountId: anAccountId, id }, (item) => recordPaid(item, { orderId: order, adId }, now()));
  await orders.markPaid(anAccountId, order, now());
}

async function observeEnd(auction: Auction, around: FeedSurroundings): Promise<void> {
  const { items, now } = around;
  const id = itemOf(auction, around);
  if (id === undefined) return;
  const record = auction.state === 'ended' ? recordAuctionEnded : recordAdRemoved;
  const seen = { adId: auction.adId, adUrl: adUrlOf(auction.adId) };
  await rewriteItem(items, { accountId: anAccountId, id }, (item) => record(item, seen, now()));
}

const itemOf = ({ adId }: Auction, { items }: FeedSurroundings): ItemId | undefined =>
  items.all.find(({ listings }) => listings.some((listing) => listing.adId === adId))?.id;
