import { createHash } from 'node:crypto';

export interface BuyersOptions {
  readonly marketplaceAdminUrl: string;
  /** The same seed and the same auctions give the same buyers. */
  readonly seed: number;
  /** Share of the live auctions that get bids and are sold, 0 to 1. */
  readonly soldShare: number;
  /** Share that closes without a bid, 0 to 1. */
  readonly endedShare: number;
}

export interface ClosedAuction {
  /** The auction's number at the marketplace, as `marketplaceAdId` shows it. */
  readonly adId: string;
  readonly externalId: string;
  /** Winning bid in SEK; 0 without one. */
  readonly amount: number;
}

export interface BuyersResult {
  readonly live: number;
  readonly sold: readonly ClosedAuction[];
  readonly ended: readonly ClosedAuction[];
  readonly bids: number;
}

interface LiveListing {
  readonly itemId: number;
  readonly ownReferences: readonly string[];
  readonly startPrice: number;
}

/**
 * Simulated buyers at the marketplace simulator: bid on some of the live auctions and let them end, let a few end without
 * a bid, leave the rest. Throws when the simulator refuses something.
 */
export async function runBuyers({
  marketplaceAdminUrl,
  seed,
  soldShare,
  endedShare,
}: BuyersOptions): Promise<BuyersResult> {
  const listings = await liveListings(marketplaceAdminUrl);
  const shuffled = inSeededOrder(listings, seed);
  const soldCount = Math.round(listings.length * soldShare);
  const endedCount = Math.round(listings.length * endedShare);
  const result = { live: listings.length, sold: [] as ClosedAuction[], ended: [] as ClosedAuction[], bids: 0 };
  for (const listing of shuffled.slice(0, soldCount)) {
    const amounts = bidsOn(listing, seed);
    for (const amount of amounts) await post(`${marketplaceAdminUrl}/listings/${listing.itemId}/bids`, { amount });
    await post(`${marketplaceAdminUrl}/listings/${listing.itemId}/end`, {});
    result.bids += amounts.length;
    result.sold.push(closed(listing, amounts.at(-1) ?? 0));
  }
  for (const listing of shuffled.slice(soldCount, soldCount + endedCount)) {
    await post(`${marketplaceAdminUrl}/listings/${listing.itemId}/end`, {});
    result.ended.push(closed(listing, 0));
  }
  return result;
}

const closed = ({ itemId, ownReferences }: LiveListing, amount: number): ClosedAuction => ({
  adId: String(itemId),
  externalId: ownReferences[0] ?? '',
  amount,
});

/**
 * One to three bids; the first one takes the starting price. Whole kronor. Each is at least a tenth higher than the
 * last, more than the marketplace's ladder of bids asks for at any price.
 */
function bidsOn({ startPrice, ownReferences }: LiveListing, seed: number): number[] {
  const chance = fraction(`${seed} bids ${ownReferences[0] ?? ''}`);
  const step = Math.max(5, Math.round(startPrice * (0.1 + chance * 0.1)));
  return Array.from({ length: 1 + Math.floor(chance * 3) }, (_, index) => startPrice + index * step);
}

/** Ordered by what the item is called, not by the auction's number, so that it doesn't matter which went live first. */
function inSeededOrder(listings: readonly LiveListing[], seed: number): LiveListing[] {
  const rank = ({ ownReferences }: LiveListing): number => fraction(`${seed} ${ownReferences[0] ?? ''}`);
  return [...listings].sort((one, two) => rank(one) - rank(two));
}

const fraction = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32;

async function liveListings(adminUrl: string): Promise<LiveListing[]> {
  const response = await fetch(`${adminUrl}/listings?state=active`);
  if (!response.ok)
    throw new Error(`the marketplace simulator answered ${response.status} when asked for its listings`);
  return ((await response.json()) as { listings: LiveListing[] }).listings;
}

async function post(url: string, body: unknown): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok)
    throw new Error(`POST ${url} answered ${response.status}: ${(await response.text()).slice(0, 200)}`);
}
