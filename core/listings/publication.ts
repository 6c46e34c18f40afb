import { listingCreatedId } from '../events/event-id.ts';
import { emit } from '../events/outbox.ts';
import { idle } from '../items/accept-write.ts';
import { newestListing, type Item, type Listing } from '../items/item.ts';

/** What reads show as ad id until the auction is known to be live (decisions "Items"). */
export const placeholderAdId = (item: Item): string => `pending-${item.id}`;

/** The tag by which a listing is looked up before any second try (protocol 2). */
export const ownReference = (item: Item, publication: number): string => `${item.id}:${publication}`;

export const ownReferences = (item: Item, publication: number): readonly string[] => [
  item.externalId,
  item.id,
  ownReference(item, publication),
];

/** Opens the wanted publication: written before the marketplace is called for the first time. */
export function openListing(item: Item, now: Date): Item {
  const listing: Listing = {
    publication: item.wantedPublication,
    state: 'drafting',
    requestId: null,
    adId: null,
    adUrl: null,
    itemPriceOre: item.content.priceOre,
    draftedRevision: null,
    mayBeCommitted: false,
    imagesSent: 0,
    announcedCauses: [],
    openedAt: now,
  };
  return {
    ...item,
    listings: [...item.listings, listing],
    marketplaceStatus: 'pending_sync',
    processing: { ...idle(now), stage: 'publishing' },
    updatedAt: now,
  };
}

/** The newest listing with some fields changed. Older entries are history and stay as they are. */
export function changeNewestListing(item: Item, change: Partial<Listing>): Item {
  const newest = newestListing(item);
  if (newest === undefined) return item;
  return { ...item, listings: [...item.listings.slice(0, -1), { ...newest, ...change }] };
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

/** Notes the draft that the marketplace made from the item as it is, before anything else is done with it. */
export const recordDraft = (item: Item, draft: { requestId: string; adId: string }): Item =>
  changeNewestListing(item, {
    ...draft,
    imagesSent: 0,
    itemPriceOre: item.content.priceOre,
    draftedRevision: item.revision,
  });

/** The item was changed after its draft was made: the draft is left behind, uncommitted, and a new one is made. */
export const redraft = (item: Item, now: Date): Item => ({
  ...changeNewestListing(item, {
    state: 'drafting',
    requestId: null,
    adId: null,
    imagesSent: 0,
    draftedRevision: null,
  }),
  updatedAt: now,
});

/** The auction is live: the partner gets its id and address. */
export function recordLive(item: Item, live: { adId: string; adUrl: string }, now: Date): Item {
  const publication = newestListing(item)?.publication ?? 0;
  const listed = changeNewestListing(item, { state: 'live', adId: live.adId, adUrl: live.adUrl });
  return emit(
    { ...listed, marketplaceStatus: 'active', processing: { ...idle(now), stage: 'published' }, updatedAt: now },
    {
      eventId: listingCreatedId(item.id, publication),
      type: 'listing.created',
      occurredAt: now,
      platform: 'marketplace',
      extra: { marketplaceAdId: live.adId, marketplaceAdUrl: live.adUrl },
    },
  );
}
