import { itemSoldId, listingEndedId } from '../events/event-id.ts';
import { emit } from '../events/outbox.ts';
import { orderId } from '../ids.ts';
import { acceptWrite, idle } from '../items/accept-write.ts';
import { newestListing, type Item, type Listing } from '../items/item.ts';
import { recordLive } from './publication.ts';

const listingByAdId = (item: Item, adId: string): Listing | undefined =>
  item.listings.find((listing) => listing.adId === adId);

const withListingState = (item: Item, adId: string, state: Listing['state']): Item => ({
  ...item,
  listings: item.listings.map((listing) => (listing.adId === adId ? { ...listing, state } : listing)),
});

/** An auction in one of these has its last word said; seeing the same end again changes nothing. */
const isOver = (listing: Listing): boolean => ['ended', 'sold', 'removed'].includes(listing.state);

/** What the marketplace tells of an auction: its id and public address. */
export interface SeenAd {
  readonly adId: string;
  readonly adUrl: string;
}

/**
 * The item with an auction that was being put up counted as live: its end proves that it was, and the partner hears of the
 * beginning first.
 */
function withKnownStart(item: Item, listing: Listing, { seen, now }: { seen: SeenAd; now: Date }): Item {
  return listing.state === 'committing' && newestListing(item) === listing ? recordLive(item, seen, now) : item;
}

/** The newest auction decides what the item shows; the end of an older one is history. */
const marketplaceStatusAfter = (
  item: Item,
  adId: string,
  status: Item['marketplaceStatus'],
): Item['marketplaceStatus'] => (newestListing(item)?.adId === adId ? status : item.marketplaceStatus);

/** The marketplace closed the auction without a winner. The item itself unchanged when that is already known. */
export function recordAuctionEnded(item: Item, seen: SeenAd, now: Date): Item {
  const listing = listingByAdId(item, seen.adId);
  if (listing === undefined || isOver(listing)) return item;
  const ended = withListingState(withKnownStart(item, listing, { seen, now }), seen.adId, 'ended');
  return acceptWrite(
    emit(
      {
        ...ended,
        marketplaceStatus: marketplaceStatusAfter(ended, seen.adId, 'ended'),
        processing: { ...idle(now), stage: 'ended' },
      },
      {
        eventId: listingEndedId(item.id, listing.publication),
        type: 'listing.ended',
        occurredAt: now,
        platform: 'marketplace',
        extra: { marketplaceAdId: seen.adId },
      },
    ),
    now,
  );
}

/** Somebody took the auction down on the marketplace itself; no event, as for every take-down (decisions "Events"). */
export function recordAdRemoved(item: Item, seen: SeenAd, now: Date): Item {
  const listing = listingByAdId(item, seen.adId);
  if (listing === undefined || isOver(listing)) return item;
  const removed = withListingState(withKnownStart(item, listing, { seen, now }), seen.adId, 'removed');
  const marketplaceStatus = marketplaceStatusAfter(removed, seen.adId, 'ended');
  return acceptWrite({ ...removed, marketplaceStatus, processing: { ...idle(now), stage: 'removed' } }, now);
}

export interface HammerSale extends SeenAd {
  readonly transactionId: string;
  readonly amountOre: number;
  readonly soldAt: Date;
}

/** The order of a marketplace transaction always has the same id, so a sale seen twice is one order (protocol 6). */
const hammerOrderId = (transactionId: string) => orderId(`ord_${transactionId}`);

/** A winning bid: item, listing, order and event in one write. The item itself unchanged when that sale is already known. */
export function recordHammerSale(item: Item, sale: HammerSale, now: Date): Item {
  const listing = listingByAdId(item, sale.adId);
  if (listing === undefined || listing.state === 'sold') return item;
  const order = hammerOrderId(sale.transactionId);
  const started = withKnownStart(item, listing, { seen: sale, now });
  const sold: Item = {
    ...withListingState(started, sale.adId, 'sold'),
    serviceStatus: item.current ? 'sold' : 'archived',
    marketplaceStatus: marketplaceStatusAfter(started, sale.adId, 'sold'),
    processing: { ...idle(now), stage: 'sold' },
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
