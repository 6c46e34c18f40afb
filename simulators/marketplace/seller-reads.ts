import { currentPrice } from './auction.ts';
import type { ListingBook } from './listing-book.ts';
import type { Listing, ListingState } from './model.ts';

const pageSize = 100;
const feedMax = 500;

const wireStates: Readonly<Record<ListingState, string | undefined>> = {
  uncommitted: undefined,
  waiting: 'Waiting',
  active: 'Active',
  ended: 'Ended',
  sold: 'Sold',
  removed: 'Removed',
};

export interface SellerItemsQuery {
  readonly ownReference: string | undefined;
  readonly filter: 'All' | 'Active' | 'Inactive';
  /** From 1. */
  readonly page: number;
  readonly siteUrl: string;
}

/** The seller's listings, newest first; drafts that were never committed are not shown. */
export function readSellerItems(book: ListingBook, userId: string, query: SellerItemsQuery): unknown {
  const { ownReference, page } = query;
  const candidates = ownReference === undefined ? book.ofUser(userId) : book.withOwnReference(ownReference);
  const found = candidates
    .filter((listing) => listing.userId === userId && wasCommitted(book, listing) && passes(listing, query.filter))
    .sort((one, two) => two.itemId - one.itemId);
  const items = found.slice((page - 1) * pageSize, page * pageSize).map((listing) => ({
    itemId: listing.itemId,
    requestId: listing.requestId,
    title: listing.title,
    ownReferences: listing.ownReferences,
    startPrice: listing.startPrice,
    bidCount: listing.bids.length,
    endDate: isoOrNull(listing.endsAt),
    state: wireStates[listing.state],
    itemUrl: itemUrl(query.siteUrl, listing.itemId),
  }));
  return { items, totalPages: Math.max(1, Math.ceil(found.length / pageSize)) };
}

/** Listings that changed at `since` or later, oldest change first. */
export function readUpdatedItems(book: ListingBook, userId: string, since: number): unknown[] {
  const hidden = new Set<ListingState>(['uncommitted', 'waiting']);
  return book
    .ofUser(userId)
    .filter((listing) => listing.updatedAt >= since && !hidden.has(listing.state) && wasCommitted(book, listing))
    .slice(0, feedMax)
    .map((listing) => ({
      itemId: listing.itemId,
      state: wireStates[listing.state],
      bidCount: listing.bids.length,
      currentPrice: currentPrice(listing),
      endDate: isoOrNull(listing.endsAt),
      updatedDate: new Date(listing.updatedAt).toISOString(),
      ownReferences: listing.ownReferences,
    }));
}

/** Sales recorded or changed at `since` or later, oldest change first. */
export function readTransactions(book: ListingBook, userId: string, since: number): unknown[] {
  return book
    .transactionsOf(userId)
    .filter((transaction) => transaction.updatedAt >= since)
    .slice(0, feedMax)
    .map(({ transactionId, itemId, amount, buyerAlias, soldAt, updatedAt, paid }) => ({
      transactionId,
      itemId,
      amount,
      buyerAlias,
      date: new Date(soldAt).toISOString(),
      lastUpdatedDate: new Date(updatedAt).toISOString(),
      isPaid: paid,
    }));
}

/** The public address of a listing. */
export function itemUrl(siteUrl: string, itemId: number): string {
  return `${siteUrl}/item/${itemId}`;
}

/** Milliseconds as ISO 8601; null stays null. */
export function isoOrNull(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}

/** A draft that its seller removed was never listed. */
function wasCommitted(book: ListingBook, listing: Listing): boolean {
  if (listing.state === 'uncommitted') return false;
  return (
    listing.state !== 'removed' || listing.endsAt !== null || book.request(listing.requestId)?.committedAt !== null
  );
}

function passes(listing: Listing, filter: SellerItemsQuery['filter']): boolean {
  if (filter === 'All') return true;
  const active = listing.state === 'active';
  return filter === 'Active' ? active : !active && listing.state !== 'waiting';
}
