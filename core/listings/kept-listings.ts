import { isUp, type Item, type Listing } from '../items/item.ts';

/** Number of newest publications that are kept, and again of the newest whose sale the marketplace may still report. */
export const listingsKept = 20;

/**
 * The publications that stay when the next one is added: an item that is put up and taken down for years must not grow for ever.
 * Kept are the newest, those that are up or in an order, those that reads show, and the newest that ended or were sold. Each of
 * these ran for days, so a dropped one ended months ago. A publication that was called off, given up or taken down can't be sold.
 */
export function keptListings(item: Item): readonly Listing[] {
  const { listings } = item;
  if (listings.length <= listingsKept) return listings;
  const kept = new Set([
    ...listings.slice(-listingsKept),
    ...listings.filter(mayBeSold).slice(-listingsKept),
    ...listings.filter((listing) => isUp(listing) || isInOrder(item, listing)),
    listings.findLast(({ state }) => state !== 'cancelled'),
    listings.findLast(({ state }) => state === 'sold'),
  ]);
  return listings.filter((listing) => kept.has(listing));
}

/** Whether it was an auction that ran to its end, or may have become one. */
const mayBeSold = ({ state, mayBeCommitted }: Listing): boolean =>
  state === 'ended' || state === 'sold' || (mayBeCommitted && state !== 'removed');

/** Whether an order of the listing is open, or its payment is not reported yet. */
const isInOrder = ({ openOrderIds, unpaidOrderIds }: Item, { orderIds }: Listing): boolean =>
  orderIds.some((order) => openOrderIds.includes(order) || unpaidOrderIds.includes(order));
