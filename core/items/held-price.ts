import { newestListing, type Item } from './item.ts';

/**
 * The price that the marketplace refused because of bids, sent again while that auction has them: it counts as unchanged, or
 * every repeated push would be refused again (protocol 7).
 */
export function isHeldPrice(item: Item, priceOre: number): boolean {
  const newest = newestListing(item);
  const isUp = newest?.state === 'live' || newest?.state === 'leaving';
  return priceOre === item.refusedPriceOre && isUp && newest.hasBids;
}

/** What the caller is told then. */
export const heldPriceWarning = {
  field: 'price',
  message: 'the auction has bids, so the price stays as it is; the marketplace refused this price before',
} as const;
