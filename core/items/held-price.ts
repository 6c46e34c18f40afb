import { newestListing, type Item } from './item.ts';

/**
 * Whether the marketplace refused this price because of bids that the auction still has. Such a price counts as unchanged, or
 * every repeated push would be refused again (protocol 7).
 */
export function isHeldPrice(item: Item, priceOre: number): boolean {
  const newest = newestListing(item);
  const isUp = newest?.state === 'live' || newest?.state === 'leaving';
  return priceOre === item.refusedPriceOre && isUp && newest.hasBids;
}

/** The caller's warning when a pushed price is held. */
export const heldPriceWarning = {
  field: 'price',
  message: 'the auction has bids, so the price stays as it is; the marketplace refused this price before',
} as const;
