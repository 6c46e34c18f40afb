import { Refusal } from '../../kit/fields.ts';
import type { Bid, Listing } from '../records/model.ts';
import type { World } from '../records/world.ts';
import { badRequest } from '../wire/refusals.ts';

/** The least step above a highest bid that is at most `upTo`, in whole kronor. */
const ladder: readonly { readonly upTo: number; readonly step: number }[] = [
  { upTo: 19, step: 1 },
  { upTo: 49, step: 3 },
  { upTo: 149, step: 5 },
  { upTo: 249, step: 10 },
  { upTo: 499, step: 15 },
  { upTo: 999, step: 20 },
  { upTo: 2499, step: 30 },
  { upTo: 3999, step: 50 },
  { upTo: 5999, step: 100 },
  { upTo: 9999, step: 200 },
  { upTo: Infinity, step: 500 },
];

/** The highest bid; undefined without bids. */
export const highestBid = (listing: Listing): Bid | undefined => listing.bids.at(-1);

/** The highest bid, or the start price, in whole kronor. */
export const currentPrice = (listing: Listing): number => highestBid(listing)?.amount ?? listing.startPrice;

/** The least that the next bid must be. */
export function nextBid(listing: Listing): number {
  const highest = highestBid(listing)?.amount;
  if (highest === undefined) return listing.startPrice;
  return highest + (ladder.find(({ upTo }) => highest <= upTo)?.step ?? 0);
}

/** The bid becomes the price. Throws a 409 unless the auction runs, a 400 unless the bid is high enough. */
export function placeBid({ listings, switches }: World, listing: Listing, bid: Bid): Listing {
  requireRunning(listing);
  const least = nextBid(listing);
  if (bid.amount < least) throw badRequest(`the bid must be at least ${least}`);
  const rowVersion = switches.is('bidsMoveRowVersion', 'yes') ? listings.nextRowVersion() : listing.rowVersion;
  return listings.put({ ...listing, bids: [...listing.bids, bid], updatedAt: bid.at, rowVersion });
}

/** A buyer accepts the fixed price. Throws a 409 unless the auction runs, has such a price and no bid. */
export function buyNow(world: World, listing: Listing, { bidder, at }: Omit<Bid, 'amount'>): Listing {
  const { buyItNowPrice: amount, itemId } = listing;
  requireRunning(listing);
  if (amount === null) throw conflict(`item ${itemId} has no buy-now price`);
  if (listing.bids.length > 0) throw conflict(`item ${itemId} has bids`);
  return endAuction(world, world.listings.put({ ...listing, bids: [{ amount, bidder, at }] }), at);
}

/** The auction ends: sold to the highest bidder, or without a winner when no bid reaches the reserve price. */
export function endAuction({ listings }: World, listing: Listing, at: number): Listing {
  requireRunning(listing);
  const highest = highestBid(listing);
  const winner = (highest?.amount ?? 0) >= (listing.reservePrice ?? 0) ? highest : undefined;
  const state = winner === undefined ? 'ended' : 'sold';
  const times = { endsAt: at, updatedAt: at, rowVersion: listings.nextRowVersion() };
  const ended = listings.put({ ...listing, ...times, state });
  if (winner !== undefined) recordSale({ listings }, ended, winner);
  return ended;
}

/** The seller ends it. Refused, with the reason, unless it runs and has no bids. */
export function takeDown({ listings }: World, listing: Listing, at: number): string | undefined {
  if (listing.state !== 'active') return `item ${listing.itemId} is not running`;
  if (listing.bids.length > 0) return `item ${listing.itemId} has bids`;
  const times = { endsAt: at, updatedAt: at, rowVersion: listings.nextRowVersion() };
  listings.put({ ...listing, ...times, state: 'removed' });
  return undefined;
}

function recordSale({ listings }: Pick<World, 'listings'>, listing: Listing, winner: Bid): void {
  const transactionId = listings.nextTransactionId();
  const { itemId, userId, updatedAt } = listing;
  listings.putTransaction({
    transactionId,
    orderId: transactionId + orderIdOffset,
    itemId,
    userId,
    amount: winner.amount,
    buyerAlias: winner.bidder,
    soldAt: updatedAt,
    updatedAt,
    paidAt: null,
    isPaidConfirmed: false,
    isShipped: false,
    isShippingBooked: false,
  });
}

/** Keeps numbers of orders and of transactions apart. */
const orderIdOffset = 5_000_000;

/** Admin routes alone answer it. */
export const conflict = (message: string): Refusal => new Refusal(409, 'Conflict', message);

function requireRunning({ state, itemId }: Listing): void {
  if (state !== 'active') throw conflict(`item ${itemId} is ${state}, not active`);
}
