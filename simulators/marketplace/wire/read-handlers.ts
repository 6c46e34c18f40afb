import type { Listing } from '../records/model.ts';
import type { World } from '../records/world.ts';
import { pathNumber, type Query } from './check-request.ts';
import { itemOnWire } from './item-on-wire.ts';
import { sellersListing, wasUp } from './listing-handlers.ts';
import { notFound } from './refusals.ts';
import type { WireHandler } from './wire-call.ts';
import { wireTime } from './wire-time.ts';

export const readHandlers = {
  readItem: (call) => itemOnWire(call.world, sellersListing(call, pathNumber(call.request, 'itemId')), 'seller'),
  readPublicItem: ({ world, request }) =>
    itemOnWire(world, publicListing(world, pathNumber(request, 'itemId')), 'public'),
  readSellerItems: ({ world, user, query }) =>
    itemsThatPass(world.listings.ofUser(user.userId), query).map((listing) => itemOnWire(world, listing, 'seller')),
  /** In no order that a caller could rely on, because none is promised. */
  readUpdatedItems: ({ world, user, query }) =>
    world.listings
      .ofUser(user.userId)
      .filter((listing) => wasUp(listing) && listing.rowVersion > (query.number('rowVersion') ?? 0))
      .map(({ itemId, rowVersion }) => ({ id: itemId, rowVersion, itemType: 1 })),
  readQuickInfo({ world, request, query }) {
    const seller = world.users.withNumber(pathNumber(request, 'userId'));
    const candidates = seller === undefined ? [] : world.listings.ofUser(seller.userId);
    return itemsThatPass(candidates, query)
      .filter(({ createdAt }) => isIn(createdAt, query.time('minCreatedDate'), query.time('maxCreatedDate')))
      .map(({ itemId, createdAt }) => ({ id: itemId, itemType: 1, creationDate: wireTime(createdAt, world.switches) }));
  },
  readRestarts({ world, request }) {
    const listing = publicListing(world, pathNumber(request, 'itemId'));
    const chain = [listing, ...restartsOf(world, listing)];
    const restartedItems = chain.slice(1).map(({ itemId, restartOf, createdAt }) => ({
      restartedItemId: restartOf,
      restartedAsItemId: itemId,
      restartedDate: wireTime(createdAt, world.switches),
    }));
    const lastRestartedItemId = chain.at(-1)?.itemId ?? listing.itemId;
    return { ancestorItemId: ancestorOf(world, listing).itemId, lastRestartedItemId, restartedItems };
  },
} satisfies Record<string, WireHandler>;

/** Items that were never up are in no list. */
function itemsThatPass(listings: readonly Listing[], query: Query): readonly Listing[] {
  const [category, active, type] = ['categoryId', 'filterActive', 'filterItemType'].map(
    (name) => query.number(name) ?? 0,
  );
  return listings.filter((listing) => {
    const isActive = listing.state === 'active';
    return (
      wasUp(listing) &&
      (category === 0 || listing.categoryId === category) &&
      (active === 0 || (active === 1) === isActive) &&
      (type === 0 || type === 1) &&
      isIn(listing.endsAt ?? 0, query.time('minEndDate'), query.time('maxEndDate')) &&
      isIn(listing.startedAt ?? 0, undefined, query.time('maxStartDate'))
    );
  });
}

export const isIn = (time: number, from = -Infinity, to = Infinity): boolean => time >= from && time <= to;

function publicListing({ listings }: World, itemId: number): Listing {
  const listing = listings.listing(itemId);
  if (listing === undefined || !wasUp(listing)) throw notFound(`item ${itemId}`);
  return listing;
}

function restartsOf(world: World, { itemId, userId }: Listing): Listing[] {
  const next = world.listings.ofUser(userId).find(({ restartOf }) => restartOf === itemId);
  return next === undefined ? [] : [next, ...restartsOf(world, next)];
}

function ancestorOf(world: World, listing: Listing): Listing {
  const before = listing.restartOf === null ? undefined : world.listings.listing(listing.restartOf);
  return before === undefined ? listing : ancestorOf(world, before);
}
