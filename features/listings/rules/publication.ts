import { listingCreatedId } from '../../webhooks/rules/event-types.ts';
import { emit } from '../../webhooks/rules/event-data.ts';
import { hostedHashes } from '../../images/rules/image-set.ts';
import {
  isUnwanted,
  isUp,
  newestListing,
  startPriceOre,
  type Item,
  type Listing,
  type SeenAuction,
} from '../../items/rules/item.ts';
import { theService } from '../../items/rules/journal.ts';
import { note } from '../../items/rules/note.ts';
import { idle } from '../../items/rules/owed-work.ts';
import { marketplaceStatusAfter, type MarketplaceStatus } from '../../items/rules/transitions.ts';
import { wholeKronorFromOre } from '../../rules/money.ts';
import { pricesOf, termsOf, type ListingDefaults } from './listing-terms.ts';
import { fittingReferences } from './marketplace-limits.ts';

/** The ad id that reads show until the auction is known to be live (interface-decisions "Items"). */
export const placeholderAdId = (item: Pick<Item, 'id'>): string => `pending-${item.id}`;

/** The tag by which a listing is looked up before any second try (protocol 2). */
export const ownReference = (item: Item, publication: number): string => `${item.id}:${publication}`;

/** The references of a listing, by which a seller can search; the last one is {@link ownReference}. */
export const ownReferences = (item: Item, publication: number): readonly string[] =>
  fittingReferences([item.externalId, item.id, ownReference(item, publication)]);

/** The publication that an auction's or a sale's references name; undefined where none does. */
export const publicationNamed = ({ ownReferences: all }: { readonly ownReferences: readonly string[] }) =>
  all.map(publicationOf).find((named) => named !== null) ?? undefined;

/** The references that are not ours: the external id, where the marketplace took it. */
export const externalIdsNamed = (named: { readonly ownReferences: readonly string[] }): readonly string[] =>
  named.ownReferences.filter((one) => publicationOf(one) === null && one !== publicationNamed(named)?.itemId);

function publicationOf(reference: string): { readonly itemId: string; readonly publication: number } | null {
  const [, itemId, publication] = /^([\da-f-]{36}):([1-9]\d{0,8})$/.exec(reference) ?? [];
  return itemId === undefined ? null : { itemId, publication: Number(publication) };
}

/** Opens the wanted publication. It is stored before the marketplace is called for the first time. */
export function openListing(item: Item, now: Date): Item {
  const listing: Listing = {
    publication: item.wantedPublication,
    state: 'drafting',
    requestId: null,
    adId: null,
    adUrl: null,
    itemPriceOre: startPriceOre(item),
    reserveKronor: null,
    buyNowKronor: null,
    askedPriceOre: null,
    pricedAt: null,
    contentNumber: null,
    shows: [],
    imageHashes: [],
    defaults: {},
    seen: null,
    orderIds: [],
    refusedRevision: null,
    hasBids: false,
    mayBeCommitted: false,
    committedAt: null,
    announcedCauses: [],
  };
  return {
    ...item,
    listings: [...keptListings(item), listing],
    marketplaceStatus: marketplaceStatusAfter('open', item.marketplaceStatus),
    refusedPriceOre: null,
    processing: { ...idle(now), stage: 'publishing' },
    updatedAt: now,
  };
}

/** The item with its newest listing changed; unchanged when it has none. */
export function changeNewestListing(item: Item, change: Partial<Listing>): Item {
  const newest = newestListing(item);
  return newest === undefined ? item : withNewestListing(item, { ...newest, ...change });
}

/** The item with another listing in place of its newest. */
export const withNewestListing = (item: Item, listing: Listing): Item => ({
  ...item,
  listings: [...item.listings.slice(0, -1), listing],
});

/**
 * An auction that its seller restarted at the marketplace goes on under another ad; our own reference names its publication. A
 * publication that a restored database has forgotten is opened. Unchanged when the ad is known.
 */
export function withNamedAd(
  item: Item,
  { publication, adId }: Pick<Listing, 'publication'> & SeenAdId,
  now: Date,
): Item {
  if (item.listings.some((listing) => listing.adId === adId)) return item;
  const isForgotten = publication > (newestListing(item)?.publication ?? 0);
  const named = isForgotten ? openForgotten(item, publication, now) : item;
  const listings = named.listings.map((listing) =>
    listing.publication === publication ? { ...listing, adId } : listing,
  );
  return { ...named, listings };
}

/** A later publication proves that the one before it is over. */
function openForgotten(item: Item, publication: number, now: Date): Item {
  const ended = item.listings.map((listing) => (isOpen(listing) ? { ...listing, state: 'ended' as const } : listing));
  const marketplaceStatus = marketplaceStatusAfter('end', item.marketplaceStatus);
  return openListing({ ...item, listings: ended, marketplaceStatus, wantedPublication: publication }, now);
}

const isOpen = (listing: Listing): boolean => isUp(listing) || ['drafting', 'prepared'].includes(listing.state);

interface SeenAdId {
  readonly adId: string;
}

/**
 * The newest listing, when it is `publication` in one of `states`. Every step of publishing starts with this check, so a
 * step that woke up late (a paused process, a repeated activity) finds nothing to do.
 */
export function listingIn(item: Item, publication: number, states: readonly Listing['state'][]): Listing | undefined {
  const newest = newestListing(item);
  return newest !== undefined && newest.publication === publication && states.includes(newest.state)
    ? newest
    : undefined;
}

/** Records the draft that the marketplace made from the present item. It is stored before any further step. */
export const recordDraft = (
  item: Item,
  draft: { requestId: string; adId: string; draftedAs?: string; defaults?: ListingDefaults },
): Item => {
  const { reservePriceKronor, buyNowPriceKronor } = pricesOf(termsOf(item, draft.defaults ?? {}), startPriceOre(item));
  return changeNewestListing(item, {
    ...draft,
    itemPriceOre: startPriceOre(item),
    reserveKronor: reservePriceKronor,
    buyNowKronor: buyNowPriceKronor,
    contentNumber: item.contentNumber,
    shows: [],
    imageHashes: hostedHashes(item),
  });
};

/** Whether the draft equals the present item. Prices that round to the same krona count as equal (protocol 7). */
export const isFreshDraft = (item: Item, listing: Listing): boolean =>
  listing.contentNumber === item.contentNumber &&
  wholeKronorFromOre(listing.itemPriceOre) === wholeKronorFromOre(startPriceOre(item));

/** Whether another marketplace user made the draft: only that user can commit it. */
export const isDraftOfAnother = ({ draftedAs, mayBeCommitted }: Listing, marketplaceUserId: string): boolean =>
  !mayBeCommitted && draftedAs !== undefined && draftedAs !== marketplaceUserId;

/** The item or its seller changed after the draft was made: the draft is abandoned uncommitted, and a new one is made. */
export const redraft = (item: Item, now: Date): Item => ({
  ...changeNewestListing(item, {
    state: 'drafting',
    requestId: null,
    adId: null,
    contentNumber: null,
    imageHashes: [],
  }),
  updatedAt: now,
});

/** The auction is live: the partner gets its id and address. If it is no longer wanted, it comes down next. */
export function recordLive(
  item: Item,
  live: { adId: string; adUrl: string; imagesRefused?: boolean; seen?: SeenAuction },
  now: Date,
): Item {
  const listed = changeNewestListing(item, {
    state: isUnwanted(item) ? 'leaving' : 'live',
    adId: live.adId,
    adUrl: live.adUrl,
    pricedAt: now,
    ...(live.seen !== undefined && { seen: live.seen }),
  });
  const shown: Item = {
    ...listed,
    marketplaceStatus: statusWhileUp(item),
    processing: { ...idle(now), stage: 'published' },
    updatedAt: now,
  };
  const noted = note(shown, {
    at: now,
    kind: 'published',
    // The partner is told when the marketplace did not take every picture.
    details: { adId: live.adId, imagesRefused: live.imagesRefused === true },
    actor: theService,
  });
  return emit(noted, {
    eventId: listingCreatedId(item.id, live.adId),
    type: 'listing.created',
    occurredAt: now,
    platform: 'marketplace',
    extra: { marketplaceAdId: live.adId, marketplaceAdUrl: live.adUrl },
  });
}

/** An item that was sold by an older auction stays sold while the newer one comes down, unless it was put on sale again. */
export const statusWhileUp = (item: Item): MarketplaceStatus =>
  isUnwanted(item) && item.marketplaceStatus === 'sold'
    ? 'sold'
    : marketplaceStatusAfter('live', item.marketplaceStatus);

/**
 * The partner no longer wants an auction. A publication that has not begun is called off, a draft is abandoned, and a live
 * auction has to come down. A commit that may be in flight is followed first. A wait of other work does not delay this.
 */
export function withdraw(item: Item, now: Date): Item {
  const newest = newestListing(item);
  const calledOff = { ...item, wantedPublication: newest?.publication ?? 0, processing: idle(now) };
  if (newest?.state === 'live') return changeNewestListing(calledOff, { state: 'leaving' });
  return callOff(calledOff);
}

/** Calls off a publication that certainly isn't up. Returns the item unchanged when there is none. */
export function callOff(item: Item): Item {
  const newest = newestListing(item);
  if (newest === undefined || isUp(newest) || (newest.state !== 'drafting' && newest.state !== 'prepared')) return item;
  const cancelled = changeNewestListing(item, { state: 'cancelled' });
  return { ...cancelled, marketplaceStatus: restingStatus(cancelled) };
}

/** The marketplace status while no listing is up or going up. */
export function restingStatus({ listings, marketplaceStatus }: Item): MarketplaceStatus {
  // A late sale of an older auction outweighs the take-down or call-off that it caused.
  if (marketplaceStatus === 'sold') return 'sold';
  const last = listings.findLast(({ state }) => state !== 'cancelled');
  switch (last?.state) {
    case undefined:
      return 'pending_sync';
    case 'sold':
      return 'sold';
    case 'ended':
    case 'removed':
      return 'ended';
    case 'failed':
      return 'sync_error';
    case 'drafting':
    case 'prepared':
    case 'committing':
    case 'live':
    case 'leaving':
    case 'cancelled':
      return marketplaceStatus;
  }
}

/** Number of newest publications that are kept, and again of the newest whose sale the marketplace may still report. */
export const listingsKept = 20;

/**
 * Number of newest publications in an open or unpaid order that are kept. A payment of an older one still finds its item, by the
 * order (look-at-sales.ts); a second sale of the same auction would not, so the bound is far above what is sold while one can come.
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
