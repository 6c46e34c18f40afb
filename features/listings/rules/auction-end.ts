import { slugOf } from '../../rules/domains.ts';
import { deepEqual } from '../../rules/deep-equal.ts';
import { itemSoldId, listingEndedId } from '../../webhooks/rules/event-types.ts';
import { emit, emitChange, emitOrder } from '../../webhooks/rules/event-data.ts';
import { orderId, type OrderId } from '../../rules/ids.ts';
import { leftAfterBid, toldLeft } from '../../items/rules/change-quantity.ts';
import {
  isUnwanted,
  isUp,
  newestListing,
  notRelisted,
  type Item,
  type Listing,
  type SeenAuction,
} from '../../items/rules/item.ts';
import { theMarketplace } from '../../items/rules/journal.ts';
import { note } from '../../items/rules/note.ts';
import { acceptWrite, idle } from '../../items/rules/owed-work.ts';
import { marketplaceStatusAfter, serviceStatusAfter } from '../../items/rules/transitions.ts';
import { changeNewestListing, openListing, recordLive, withdraw } from './publication.ts';
import { relistWhenAsked } from './relist.ts';

const listingByAdId = (item: Item, adId: string): Listing | undefined =>
  item.listings.find((listing) => listing.adId === adId);

const withListingState = (item: Item, adId: string, state: Listing['state']): Item => ({
  ...item,
  listings: item.listings.map((listing) => (listing.adId === adId ? { ...listing, state } : listing)),
});

const withSale = (item: Item, adId: string, order: OrderId): Item => ({
  ...item,
  listings: item.listings.map((listing) =>
    listing.adId === adId ? { ...listing, state: 'sold', orderIds: [...listing.orderIds, order] } : listing,
  ),
});

/** The auction's outcome is final, so a second report of its end changes nothing. */
const isOver = (listing: Listing): boolean => ['ended', 'sold', 'removed'].includes(listing.state);

/** An auction as the marketplace reports it: its id and public address. */
export interface SeenAd {
  readonly adId: string;
  readonly adUrl: string;
}

/**
 * Records an unconfirmed auction as live before its end is recorded: the end proves that it was live, and the partner must get
 * listing.created first.
 */
function withKnownStart(item: Item, listing: Listing, { seen, now }: { seen: SeenAd; now: Date }): Item {
  const isUnconfirmed = isUp(listing) && listing.state !== 'live' && listing.state !== 'leaving';
  return isUnconfirmed && newestListing(item) === listing ? recordLive(item, seen, now) : item;
}

/** Only the newest auction decides the item's status; the end of an older one does not change it. */
const isShown = (item: Item, adId: string): boolean => newestListing(item)?.adId === adId;

function statusAfterEnd(item: Item, adId: string): Item['marketplaceStatus'] {
  if (!isShown(item, adId) || item.marketplaceStatus === 'sold') return item.marketplaceStatus;
  return marketplaceStatusAfter('end', item.marketplaceStatus);
}

/** The marketplace's times may be of another zone than we think. */
const toleranceMs = 2 * 3_600_000;
/** A sale may become visible a little after the end, and with bids there should be one. */
const saleMayComeMs = { withoutBids: 10 * 60_000, withBids: 3 * 86_400_000 } as const;
/** The marketplace's lists and items may lag behind an auction that went up. */
const absentMs = 3_600_000;

/**
 * How an auction ended that no longer runs and of which no sale is known. `null`: it is not to be found, so it was removed. `open`: it is
 * too early to say. `sale_missing`: it has a winner, whose sale should have been told. `ended_early`: well before its time, by a
 * take-down of ours or by its seller at the marketplace; only our own record tells which.
 */
export function auctionEnd(
  { seen, pricedAt }: Listing,
  over: { readonly hasWinner: boolean | null; readonly bids: number; readonly endsAt: Date | null } | null,
  now: Date,
): 'ended' | 'ended_early' | 'removed' | 'open' | 'sale_missing' {
  const sinceMs = (at: Date | null | undefined): number =>
    at == null ? Number.POSITIVE_INFINITY : now.getTime() - at.getTime();
  if (over === null) return sinceMs(pricedAt) < absentMs ? 'open' : 'removed';
  if (over.hasWinner === true) return 'sale_missing';
  const endedAt = over.endsAt ?? now;
  const isEarly = seen?.endsAt != null && endedAt.getTime() < seen.endsAt.getTime() - toleranceMs;
  if (over.hasWinner === null) {
    const mayComeMs = over.bids > 0 ? saleMayComeMs.withBids : saleMayComeMs.withoutBids;
    if (sinceMs(over.endsAt ?? seen?.at) < mayComeMs) return 'open';
  }
  return isEarly ? 'ended_early' : 'ended';
}

/**
 * A look found an auction up that we believe is not: its commit was thought lost. It is followed like any commit, and comes down next if
 * the item is unwanted. Unchanged when it is followed already, or when another auction of the item came after it.
 */
export function recordFoundUp(item: Item, adId: string, now: Date): Item {
  const newest = newestListing(item);
  if (newest?.adId !== adId || newest.requestId === null) return item;
  if (!['drafting', 'prepared', 'cancelled', 'failed'].includes(newest.state)) return item;
  return acceptWrite(changeNewestListing(item, { state: 'committing', mayBeCommitted: true }), now);
}

/**
 * An auction of ours runs under an ad that is not known, because its seller restarted it at the marketplace, or the database was
 * restored to a moment before it. It gets a publication of its own, to which {@link recordRestarted} gives the ad. Unchanged while another
 * auction of the item is up, may be, or is on its way.
 */
export function openRestarted(item: Item, adId: string, now: Date): Item {
  const newest = newestListing(item);
  if (isKnown(item, adId) || (newest !== undefined && (isUp(newest) || isOnItsWay(newest)))) return item;
  return acceptWrite(openListing({ ...item, wantedPublication: (newest?.publication ?? 0) + 1 }, now), now);
}

/**
 * The publication on its way is up already, as the auction that its seller restarted. Another draft would put the same thing up a second
 * time. It comes down next if the item is unwanted. Unchanged when no publication is on its way, or one may be up.
 */
export function recordRestarted(item: Item, { adId, adUrl }: SeenAd, now: Date): Item {
  const newest = newestListing(item);
  if (newest === undefined || isKnown(item, adId) || isUp(newest) || !isOnItsWay(newest)) return item;
  return acceptWrite(recordLive(item, { adId, adUrl }, now), now);
}

/** The marketplace's lists may still show an auction that was taken down. */
export const isKnown = (item: Item, adId: string): boolean => listingByAdId(item, adId) !== undefined;
const isOnItsWay = ({ state }: Listing): boolean => state === 'drafting' || state === 'prepared';

/** An auction is over before its time: it came down for us when we asked for that, and ended otherwise. */
export function recordEndedEarly(item: Item, seen: SeenAd, now: Date): Item {
  const isAskedFor = isUnwanted(item) || listingByAdId(item, seen.adId)?.state === 'leaving';
  return isAskedFor ? recordAdRemoved(item, seen, now) : recordAuctionEnded(item, { ...seen, isEarly: true }, now);
}

/**
 * The marketplace closed the auction without a winner. One that ended early is not put up again by itself: its seller may have sold the
 * thing elsewhere. Returns the item unchanged when the end is already recorded.
 */
export function recordAuctionEnded(item: Item, seen: SeenAd & { readonly isEarly?: boolean }, now: Date): Item {
  const listing = listingByAdId(item, seen.adId);
  if (listing === undefined || isOver(listing)) return item;
  const ended = withListingState(withKnownStart(item, listing, { seen, now }), seen.adId, 'ended');
  const shown: Item = {
    ...ended,
    marketplaceStatus: statusAfterEnd(ended, seen.adId),
    refusedPriceOre: isShown(item, seen.adId) ? null : item.refusedPriceOre,
    processing: isShown(item, seen.adId) ? { ...idle(now), stage: 'ended' } : item.processing,
  };
  const noted = note(shown, {
    at: now,
    kind: 'ended',
    details: { adId: seen.adId },
    actor: theMarketplace,
  });
  const told = tellEnded(noted, listing, now);
  const mayRelist = isShown(item, seen.adId) && seen.isEarly !== true;
  return acceptWrite(mayRelist ? relistWhenAsked(told, listing, now) : told, now);
}

export const tellEnded = (item: Item, { publication, adId }: Listing, now: Date): Item =>
  emit(item, {
    eventId: listingEndedId(item.id, adId ?? String(publication)),
    type: 'listing.ended',
    occurredAt: now,
    platform: 'marketplace',
    extra: { marketplaceAdId: adId },
  });

/** The auction comes down for the same item with its changes, so the partner hears of its end as of any other. */
export const isReplacing = (item: Item, { isReplaced }: Listing): boolean => isReplaced === true && !isUnwanted(item);

/**
 * Records what a look showed of a running auction. This is no accepted write, because no work follows from it. Returns
 * the item unchanged when there is nothing new.
 */
export function recordSeen(item: Item, adId: string, seen: SeenAuction): Item {
  const listing = listingByAdId(item, adId);
  if (listing === undefined || !isUp(listing)) return item;
  const { at: _before, ...known } = listing.seen ?? { at: null };
  const { at: _now, ...found } = seen;
  if (deepEqual(comparable(known), comparable(found))) return item;
  return { ...item, listings: item.listings.map((one) => (one === listing ? { ...one, seen } : one)) };
}

const comparable = ({ endsAt, ...rest }: Partial<SeenAuction>) => ({ ...rest, endsAt: endsAt?.getTime() ?? null });

const isOwnTakeDown = (item: Item, listing: Listing): boolean =>
  newestListing(item) === listing &&
  !isUnwanted(item) &&
  item.wantedPublication === listing.publication &&
  listing.announcedCauses.includes('TAKEDOWN_REFUSED_BIDS');

/** The auction was taken down, by the service or on the marketplace itself; no specified event (interface-decisions "Events"). */
export function recordAdRemoved(item: Item, seen: SeenAd, now: Date): Item {
  const listing = listingByAdId(item, seen.adId);
  // The partner got no event for a draft that was called off, so its removal is no news.
  if (listing === undefined || isOver(listing) || listing.state === 'cancelled') return item;
  const removed = withListingState(withKnownStart(item, listing, { seen, now }), seen.adId, 'removed');
  const shown: Item = {
    ...removed,
    marketplaceStatus: statusAfterEnd(removed, seen.adId),
    // The owner asked for publication while our own take-down was being refused: that publication follows this auction.
    wantedPublication: isOwnTakeDown(item, listing) ? listing.publication + 1 : item.wantedPublication,
    refusedPriceOre: isShown(item, seen.adId) ? null : item.refusedPriceOre,
    processing: isShown(item, seen.adId) ? { ...idle(now), stage: 'removed' } : item.processing,
  };
  const details = { adId: seen.adId };
  const noted = acceptWrite(note(shown, { at: now, kind: 'taken_down', details, actor: theMarketplace }), now);
  if (isReplacing(item, listing)) return tellEnded(noted, listing, now);
  return isOthersTakeDown(item, listing)
    ? emitChange(noted, { what: 'taken_down', actor: theMarketplace }, now)
    : noted;
}

/** The auction was still wanted, so its seller took it down at the marketplace. */
const isOthersTakeDown = (item: Item, listing: Listing): boolean =>
  newestListing(item) === listing &&
  listing.state !== 'leaving' &&
  !isUnwanted(item) &&
  item.wantedPublication === listing.publication;

export interface HammerSale extends SeenAd {
  readonly orderId: OrderId;
  readonly amountOre: number;
  /** The platform's fee in force when the sale became known, in hundredths of a per cent. */
  readonly feeBps: number;
  readonly soldAt: Date;
  readonly isPaid: boolean;
}

/**
 * The order of a marketplace transaction always has the same id, so a sale seen twice is one order (protocol 6). The sandbox's
 * marketplace counts by itself, so its numbers are marked: both may give the same.
 */
export const hammerOrderId = (transactionId: string, { isSandbox }: { readonly isSandbox: boolean }): OrderId =>
  orderId(`${isSandbox ? sandboxOrderPrefix : orderPrefix}${transactionId}`);

const orderPrefix = 'ord_';
const sandboxOrderPrefix = 'ord_t';

/** The marketplace transaction of a won auction's order. */
export const transactionIdOf = (order: OrderId): string => order.replace(/^ord_t?/, '');

/**
 * A winning bid: item, listing, order, event and count in one write. A late sale of an older auction counts as well; of the last
 * one, a newer auction then comes down. Returns the item unchanged when the sale is already recorded.
 */
export function recordHammerSale(item: Item, sale: HammerSale, now: Date): Item {
  const listing = listingByAdId(item, sale.adId);
  const { orderId: order } = sale;
  // A sale is recognised by its order: another buyer in place of the first is another sale of the same auction.
  if (listing === undefined || listing.orderIds.includes(order)) return item;
  const quantityLeft = leftAfterBid(item, listing);
  const started = withSale(withKnownStart(item, listing, { seen: sale, now }), sale.adId, order);
  const isLast = !item.current || quantityLeft === null || quantityLeft === 0;
  const sold: Item = {
    ...(isLast ? soldOut(started, now) : nextOne(started, listing, now)),
    quantityLeft,
    openOrderIds: [...item.openOrderIds, order],
    unpaidOrderIds: sale.isPaid ? item.unpaidOrderIds : [...item.unpaidOrderIds, order],
    pendingOrders: [
      ...item.pendingOrders,
      {
        orderId: order,
        platform: 'marketplace',
        amountOre: sale.amountOre,
        feeBps: sale.feeBps,
        domain: slugOf(item.content.domain),
        adId: sale.adId,
        soldAt: sale.soldAt,
        isPaid: sale.isPaid,
        ...(item.quantityLeft === 0 && listing.orderIds.length === 0 && { isOversold: true }),
      },
    ],
  };
  const noted = note(sold, {
    at: now,
    kind: 'sold',
    // Only the seller can decide which buyer gets the item, so all orders stay until one is cancelled (protocol 6).
    details: {
      orderId: order,
      adId: sale.adId,
      price: sale.amountOre / 100,
      otherOrderIds: ordersOfSameThing(item, listing),
    },
    actor: theMarketplace,
  });
  const told = emit(noted, {
    eventId: itemSoldId(item.id, order),
    type: 'item.sold',
    occurredAt: now,
    platform: 'marketplace',
    salePrice: sale.amountOre / 100,
    extra: { marketplaceAdId: sale.adId, orderId: order, ...toldLeft(sold) },
  });
  return acceptWrite(sale.isPaid ? tellPaid(told, { orderId: order, adId: sale.adId }, now) : told, now);
}

/** An order of a won auction; the item may have forgotten the auction (publication.ts). */
interface WonOrder {
  readonly orderId: OrderId;
  readonly adId: string;
}

const tellPaid = (item: Item, won: WonOrder, now: Date): Item =>
  emitOrder(item, { ...won, what: 'paid', platform: 'marketplace' }, now);

function soldOut(item: Item, now: Date): Item {
  const started = withdraw(item, now);
  return {
    ...started,
    // A deleted item becomes readable again, because its seller has an order to handle.
    removedAt: null,
    serviceStatus: serviceStatusAfter(item.current ? 'hammerSale' : 'hammerSaleOfDeleted', item.serviceStatus),
    marketplaceStatus: marketplaceStatusAfter('sell', started.marketplaceStatus),
    refusedPriceOre: null,
    relisted: notRelisted,
    processing: { ...idle(now), stage: 'sold' },
  };
}

/**
 * One of several pieces is sold, so this write also asks for the next auction. A late sale of an older auction leaves a
 * newer one up, which sells another piece.
 */
function nextOne(item: Item, sold: Listing, now: Date): Item {
  if (newestListing(item)?.publication !== sold.publication) return item;
  const isOnSale = item.serviceStatus === 'active';
  return {
    ...item,
    marketplaceStatus: marketplaceStatusAfter('sell', item.marketplaceStatus),
    wantedPublication: isOnSale ? Math.max(item.wantedPublication, sold.publication + 1) : item.wantedPublication,
    refusedPriceOre: null,
    relisted: notRelisted,
    processing: { ...idle(now), stage: 'sold' },
  };
}

/**
 * Open orders of the piece that is sold again: with several pieces, those of the same auction; once no piece was left,
 * all.
 */
const ordersOfSameThing = ({ openOrderIds, quantityLeft }: Item, { orderIds }: Listing): readonly OrderId[] =>
  quantityLeft === null || quantityLeft === 0 ? openOrderIds : openOrderIds.filter((open) => orderIds.includes(open));

/** The marketplace reported that the buyer has paid. Returns the item unchanged when that is already recorded. */
export function recordPaid(item: Item, won: WonOrder, now: Date): Item {
  const { orderId: order } = won;
  if (!item.unpaidOrderIds.includes(order)) return item;
  const paid: Item = {
    ...item,
    unpaidOrderIds: item.unpaidOrderIds.filter((unpaid) => unpaid !== order),
  };
  const noted = note(paid, { at: now, kind: 'paid', details: { orderId: order }, actor: theMarketplace });
  return acceptWrite(tellPaid(noted, won, now), now);
}

/** Removes a closed order from the item, which it then no longer blocks (protocol 6). Unchanged when the order is not open. */
export function closeOrder(item: Item, order: OrderId, now: Date): Item {
  if (!item.openOrderIds.includes(order)) return item;
  const others = (id: OrderId): boolean => id !== order;
  const closed = {
    ...item,
    openOrderIds: item.openOrderIds.filter(others),
    unpaidOrderIds: item.unpaidOrderIds.filter(others),
  };
  return acceptWrite(closed, now);
}
