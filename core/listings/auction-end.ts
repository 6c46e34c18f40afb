import { itemSoldId, listingEndedId } from '../events/event-id.ts';
import { emit } from '../events/outbox.ts';
import { orderId } from '../ids.ts';
import { acceptWrite } from '../items/accept-write.ts';
import { newestListing, type Item, type Listing } from '../items/item.ts';

const listingByAdId = (item: Item, adId: string): Listing | undefined =>
  item.listings.find((listing) => listing.adId === adId);

const withListingState = (item: Item, adId: string, state: Listing['state']): Item => ({
  ...item,
  listings: item.listings.map((listing) => (listing.adId === adId ? { ...listing, state } : listing)),
});

/** An auction in one of these has its last word said; seeing the same end again changes nothing. */
const isOver = (listing: Listing): boolean => ['ended', 'sold', 'removed'].includes(listing.state);

/** The marketplace closed the auction without a winner. The item itself unchanged when that is already known. */
export function recordAuctionEnded(item: Item, adId: string, now: Date): Item {
  const listing = listingByAdId(item, adId);
  if (listing === undefined || isOver(listing)) return item;
  const isNewest = newestListing(item) === listing;
  const ended = withListingState(item, adId, 'ended');
  return acceptWrite(
    emit(
      { ...ended, marketplaceStatus: isNewest ? 'ended' : item.marketplaceStatus },
      {
        eventId: listingEndedId(item.id, listing.publication),
        type: 'listing.ended',
        occurredAt: now,
        platform: 'marketplace',
        extra: { marketplaceAdId: adId },
      },
    ),
    now,
  );
}

export interface HammerSale {
  readonly transactionId: string;
  readonly adId: string;
  readonly amountOre: number;
  readonly soldAt: Date;
}

/** The order of a marketplace transaction always has the same id, so a sale seen twice is one order (protocol 6). */
export const hammerOrderId = (transactionId: string) => orderId(`ord_${transactionId}`);

/** A winning bid: item, listing, order and event in one write. The item itself unchanged when that sale is already known. */
export function recordHammerSale(item: Item, sale: HammerSale, now: Date): Item {
  const listing = listingByAdId(item, sale.adId);
  if (listing === undefined || listing.state === 'sold') return item;
  const order = hammerOrderId(sale.transactionId);
  const sold: Item = {
    ...withListingState(item, sale.adId, 'sold'),
    serviceStatus: item.current ? 'sold' : 'archived',
    marketplaceStatus: 'sold',
    openOrderIds: [...item.openOrderIds, order],
    pendingOrders: [
      ...item.pendingOrders,
      { orderId: order, platform: 'marketplace', amountOre: sale.amountOre, adId: sale.adId, soldAt: sale.soldAt },
    ],
  };
  return acceptWrite(
    emit(sold, {
      eventId: itemSoldId(item.id, order),
      type: 'item.sold',
      occurredAt: now,
      platform: 'marketplace',
      salePrice: sale.amountOre / 100,
      extra: { marketplaceAdId: sale.adId },
    }),
    now,
  );
}
