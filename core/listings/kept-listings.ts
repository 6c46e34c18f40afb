import { isUp, type Item, type Listing } from '../items/item.ts';

/** Number of newest publications that are kept, and again of the newest whose sale the marketplace may still report. */
export const listingsKept = 20;

/**
 * Number of newest publications in an open or unpaid order that are kept. A payment of an older one still finds its item, by the
 * order (read-feeds.ts); a second sale of the same auction would not, so the bound is far above what is sold while one can come.
 */
export const ordersKept = 500;

/**
 * The publications that stay when the next one is added: an item that is put up and taken down for years must not grow for ever.
 * Kept are the newest, those that are up, the newest in an order, those that reads show, and the newest that ended or were sold.
 * Each of these ran for days, so a dropped one ended months ago. A publication that was called off, given up or taken down can't be
 * sold. The item of a seller who sells tens of thousands of one article, and closes no order, stays far below the 16 MB of a document.
 */
export function keptListings(item: Item): readonly Listing[] {
  const { listings } = item;
  if (listings.length <= listingsKept) return listings;
  const kept = new Set([
    ...listings.slice(-listingsKept),
    ...listings.filter(mayBeSold).slice(-listingsKept),
    ...listings.filter(isUp),
    ...ofOrders(item).slice(-ordersKept),
    listings.findLast(({ state }) => state !== 'cancelled'),
    listings.findLast(({ state }) => state === 'sold'),
  ]);
  return listings.filter((listing) => kept.has(listing));
}

/** Whether it was an auction that ran to its end, or may have become one. */
const mayBeSold = ({ state, mayBeCommitted }: Listing): boolean =>
  state === 'ended' || state === 'sold' || (mayBeCommitted && state !== 'removed');

/** The listings of which an order is open, or its payment not reported yet. */
function ofOrders({ listings, openOrderIds, unpaidOrderIds }: Item): readonly Listing[] {
  const owed = new Set([...openOrderIds, ...unpaidOrderIds]);
  return listings.filter(({ orderIds }) => orderIds.some((order) => owed.has(order)));
}
