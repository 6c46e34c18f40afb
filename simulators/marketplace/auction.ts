import { Refusal } from '../kit/fields.ts';
import type { ListingBook } from './listing-book.ts';
import type { Bid, Listing, Transaction } from './model.ts';
import { requireActive, sellersListing, type SellerCall } from './publishing.ts';

/** The highest bid; undefined without bids. */
export function highestBid(listing: Listing): Bid | undefined {
  return listing.bids.at(-1);
}

/** The highest bid, or the start price, in whole kronor. */
export function currentPrice(listing: Listing): number {
  return highestBid(listing)?.amount ?? listing.startPrice;
}

/** Throws a 409 unless the auction runs, a 400 unless the bid is high enough. */
export function placeBid(book: ListingBook, listing: Listing, bid: Bid): Listing {
  if (listing.state !== 'active')
    throw new Refusal(409, 'ItemNotActive', `item ${listing.itemId} is ${listing.state}, not active`);
  const least = highestBid(listing) === undefined ? listing.startPrice : currentPrice(listing) + 1;
  if (bid.amount < least) throw new Refusal(400, 'BidTooLow', `the bid must be at least ${least}`);
  return book.put({ ...listing, bids: [...listing.bids, bid], updatedAt: bid.at });
}

/** A buyer accepts the fixed price. Throws a 409 unless the auction runs, has such a price and no bid. */
export function buyNow(book: ListingBook, listing: Listing, { bidder, at }: Omit<Bid, 'amount'>): Listing {
  const { buyItNowPrice: amount, itemId } = listing;
  if (amount === null) throw new Refusal(409, 'NoBuyItNow', `item ${itemId} has no buy-now price`);
  if (listing.bids.length > 0) throw new Refusal(409, 'ItemHasBids', `item ${itemId} has bids`);
  return endAuction(book, placeBid(book, listing, { amount, bidder, at }), at);
}

/** The seller changes the start price on the marketplace's own pages: refused once there are bids. */
export function changeStartPrice(
  book: ListingBook,
  listing: Listing,
  { price, at }: { price: number; at: number },
): Listing {
  requireActive(listing);
  if (listing.bids.length > 0) throw new Refusal(409, 'ItemHasBids', `item ${listing.itemId} has bids`);
  return book.put({ ...listing, startPrice: price, updatedAt: at });
}

/** The auction ends: sold to the highest bidder, or without a winner when no bid reaches the reserve price. */
export function endAuction(book: ListingBook, listing: Listing, at: number): Listing {
  if (listing.state !== 'active')
    throw new Refusal(409, 'ItemNotActive', `item ${listing.itemId} is ${listing.state}, not active`);
  const highest = highestBid(listing);
  const winner = (highest?.amount ?? 0) >= (listing.reservePrice ?? 0) ? highest : undefined;
  const ended = book.put({ ...listing, state: winner === undefined ? 'ended' : 'sold', endsAt: at, updatedAt: at });
  if (winner !== undefined) recordSale(book, ended, winner);
  return ended;
}

function recordSale(book: ListingBook, listing: Listing, winner: Bid): void {
  const { itemId, userId, updatedAt } = listing;
  const times = { soldAt: updatedAt, updatedAt };
  const transactionId = book.nextTransactionId();
  book.putTransaction({
    transactionId,
    itemId,
    userId,
    amount: winner.amount,
    buyerAlias: winner.bidder,
    ...times,
    paid: false,
  });
}

/** The buyer has paid; the transaction and its listing change. */
export function markPaid(book: ListingBook, transaction: Transaction, at: number): Transaction {
  const paid = { ...transaction, paid: true, updatedAt: at };
  book.putTransaction(paid);
  return paid;
}

/**
 * The seller takes it down: refused once there are bids. A draft that is not live is removed with its pending commit.
 */
export function removeListing(book: ListingBook, call: SellerCall, itemId: number): void {
  const listing = sellersListing(book, call, itemId);
  if (listing.state !== 'uncommitted' && listing.state !== 'waiting') requireActive(listing);
  if (listing.bids.length > 0) throw new Refusal(409, 'ItemHasBids', `item ${itemId} has bids`);
  book.put({ ...listing, state: 'removed', endsAt: listing.endsAt === null ? null : call.now, updatedAt: call.now });
}
