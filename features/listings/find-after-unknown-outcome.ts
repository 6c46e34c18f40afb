import type { Item, Listing } from '../items/rules/item.ts';
import type { AuctionSeen } from './rules/commit-outcome.ts';
import { MarketplaceError, type Auction, type RequestResult, type Seller } from '../../gateways/marketplace/port.ts';
import type { ListingDependencies } from './prepare-listing.ts';

export interface Committed {
  readonly item: Item;
  readonly listing: Listing;
  readonly requestId: string;
  readonly adId: string;
  /** Why it is unknown whether the commit arrived; null when it was taken, or an earlier process made it. */
  readonly doubt: string | null;
}

export interface Found {
  readonly result: RequestResult;
  readonly seen: AuctionSeen;
  /** null when it is not there. */
  readonly auction: Auction | null;
}

/** After so many looks without a result the auction itself is read as well: results may be forgotten. */
const looksWithoutResult = 3;

/** The result of the request, and the auction unless it can't be there yet; or why what was answered says nothing. */
export async function lookUp(
  { marketplace }: ListingDependencies,
  seller: Seller,
  { requestId, adId, item, doubt }: Committed,
): Promise<Found | { readonly doubt: string }> {
  try {
    const result = await marketplace.readResult(seller, requestId);
    const isUndecided = result.kind === 'none' || result.kind === 'waiting' || result.kind === 'uncommitted';
    // Calls are few: a request that was taken and has no result yet has no auction either.
    const isEarly = doubt === null && item.processing.attempts < looksWithoutResult;
    if (isUndecided && isEarly) return { result, seen: 'not_there', auction: null };
    const auction = await marketplace.readAuction(seller, adId);
    if (auction === null) return { result, seen: 'not_there', auction };
    return { result, auction, seen: await seenAs(marketplace, seller, { auction, isOk: result.kind === 'ok' }) };
  } catch (error) {
    if (error instanceof MarketplaceError && saysNothing(error)) return { doubt: error.message };
    throw error;
  }
}

/** The marketplace answered, and not in a form that is known. An outage passes, and is waited for like any other. */
const saysNothing = ({ kind, status }: MarketplaceError): boolean =>
  kind === 'unavailable' && status !== undefined && status < 500;

/** A draft may be readable as well, so an auction counts as up with its result, or when it is among those that run. */
async function seenAs(
  marketplace: ListingDependencies['marketplace'],
  seller: Seller,
  { auction, isOk }: { auction: Auction; isOk: boolean },
): Promise<AuctionSeen> {
  if (isOk || auction.bids > 0 || auction.hasWinner === true) return auction.isOver ? 'over' : 'up';
  const running = await marketplace.readRunning(seller, 'publish');
  return running.some(({ adId }) => adId === auction.adId) ? 'up' : 'unlisted';
}
