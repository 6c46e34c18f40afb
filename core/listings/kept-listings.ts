import { isUp, type Item, type Listing } from '../items/item.ts';

/** Of the newest publications, and once more of the newest whose sale the marketplace may still tell. */
export const listingsKept = 20;

/**
 * The publications that the next one is added to: without this, an item that is put up and taken down for years grows for ever.
 * Kept are the newest, those that are up or in an order, what reads show, and of those that ended or were sold as many again: each of
 * them took an auction's days, so what is dropped ended months ago. What was called off, given up or taken down can't be sold.
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

/** It was an auction that ended by itself, or may have become one. */
const mayBeSold = ({ state, mayBeCommitted }: Listing): boolean =>
  state === 'ended' || state === 'sold' || (mayBeCommitted && state !== 'removed');

/** The marketplace has yet to report its payment, or its seller to see it through. */
const isInOrder = ({ openOrderIds, unpaidOrderIds }: Item, { orderIds }: Listing): boolean =>
  orderIds.some((order) => openOrderIds.includes(order) || unpaidOrderIds.includes(order));
