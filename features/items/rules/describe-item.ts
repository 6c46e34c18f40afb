import type { DomainSlug } from '../../rules/domains.ts';
import { domainSchemaVersion, flattenDomain } from './flatten-domain.ts';
import { pendingChanges, type AsPublished } from '../../listings/rules/pending-changes.ts';
import { placeholderAdId } from '../../listings/rules/publication.ts';
import { effectiveContent } from './enrich-item.ts';
import { describeImageFailure } from '../../images/rules/image-failure.ts';
import { newestListing, startPriceOre, type Item, type Listing } from './item.ts';
import type { ItemContent } from './item-content.ts';
import type { WaitingFor } from './processing.ts';

/** The service's own values in an item's extended attributes. */
export const stampOf = (item: Item) =>
  ({ externalReference: item.externalId, source: 'integration', schemaVersion: domainSchemaVersion }) as const;

/**
 * Everything about an item. Source: interface-decisions "Items", `view=full`. Money in SEK. `hostedUrl` gives the public address of a
 * hosted image.
 */
export function describeItem(item: Item, hostedUrl: (contentHash: string, size: 'large' | 'thumb') => string) {
  const { processing } = item;
  const content = effectiveContent(item);
  const { title, description } = item.content;
  const isImproved = content.title !== title || content.description !== description;
  const { stage, waitingFor, attempts, lastError } = processing;
  return {
    ...describeStatus(item),
    title: content.title,
    description: content.description,
    shippingCost: content.shippingCostOre === null ? null : content.shippingCostOre / 100,
    weightKg: content.weightKg,
    currency: content.currency,
    imageUrls: content.imageUrls,
    useAiEnhancement: content.useAiEnhancement,
    autoPublishTradera: item.wantedPublication > 0,
    // The caller's own texts, when the service improved them.
    ...(isImproved && { original: { title, description } }),
    images: item.imageSet.images.map(({ sourceUrl, state, contentHash, failure }) => ({
      sourceUrl,
      state,
      url: contentHash === null ? null : hostedUrl(contentHash, 'large'),
      thumbnailUrl: contentHash === null ? null : hostedUrl(contentHash, 'thumb'),
      reason: failure && describeImageFailure(failure),
      failure,
    })),
    extendedAttributes: flattenDomain(content.domain, stampOf(item)),
    listing: content.listing,
    auction: describeAuction(item),
    processing: { stage, waitingFor, attempts, lastError, updatedAt: processing.updatedAt.toISOString() },
    createdAt: item.createdAt.toISOString(),
    updatedAt: (item.changedAt ?? item.updatedAt).toISOString(),
  };
}

/**
 * The state at the last look that showed a change, because looking at every auction would cost calls. All null before
 * the first look.
 */
function describeAuction(item: Item) {
  const newest = newestListing(item);
  if (newest?.state !== 'live' && newest?.state !== 'leaving') return null;
  const { seen } = newest;
  return {
    endsAt: seen?.endsAt?.toISOString() ?? null,
    bids: seen?.bids ?? null,
    currentPrice: seen?.priceKronor ?? null,
    seenAt: seen?.at.toISOString() ?? null,
  };
}

export type ItemStatus = ReturnType<typeof describeStatus>;

type Stated = AsPublished &
  Pick<Item, 'id' | 'externalId' | 'serviceStatus' | 'marketplaceStatus' | 'quantityLeft' | 'listings'>;

/** The status of an item. Money in SEK, times in ISO 8601. Source: specification "Item status (read response)". */
export function describeStatus(item: Stated) {
  const pending = pendingChanges(item);
  return {
    externalId: item.externalId,
    serviceItemId: item.id,
    serviceStatus: item.serviceStatus,
    marketplaceStatus: item.marketplaceStatus,
    // What the running auction can't be given is kept for the next publication.
    ...(pending.length > 0 && { pendingChanges: pending }),
    ...describeAd(item),
    price: startPriceOre(item) / 100,
    ...(item.quantityLeft !== null && { quantity: item.quantityLeft }),
  };
}

/** An ad id is shown as `pending-…`, without an address, until the marketplace has confirmed the auction. */
function describeAd(item: Stated): {
  readonly marketplaceAdId: string | null;
  readonly marketplaceAdUrl: string | null;
} {
  // A publication that was called off never went live, and a sold item shows the auction that sold it.
  const isShown = ({ state }: Pick<Listing, 'state'>): boolean =>
    item.marketplaceStatus === 'sold' ? state === 'sold' : state !== 'cancelled';
  const newest = item.listings.findLast(isShown);
  if (newest === undefined) return { marketplaceAdId: null, marketplaceAdUrl: null };
  switch (newest.state) {
    case 'drafting':
    case 'prepared':
    case 'committing':
      return { marketplaceAdId: placeholderAdId(item), marketplaceAdUrl: null };
    case 'failed':
    case 'cancelled':
      return { marketplaceAdId: null, marketplaceAdUrl: null };
    case 'live':
    case 'leaving':
    case 'ended':
    case 'sold':
    case 'removed':
      return { marketplaceAdId: newest.adId, marketplaceAdUrl: newest.adUrl };
  }
}

/** Orders of the list; a minus means descending. The first is the default. */
export const itemSorts = ['-created', 'created', '-updated', 'updated'] as const;
export type ItemSort = (typeof itemSorts)[number];

export type ItemListEntry = ReturnType<typeof describeListEntry>;

/** What a list reads of an item: a small part of it, because the texts would cost most of a page's time. */
export interface ListedItem extends Stated, Pick<Item, 'accountId' | 'createdAt'> {
  /** As the caller sent it. */
  readonly content: Pick<ItemContent, 'title' | 'priceOre' | 'listing'>;
  readonly ownDomain: DomainSlug | null;
  /** As buyers see it. */
  readonly shownTitle: string;
  /** Also `other` for an item whose push named no domain. */
  readonly domain: DomainSlug;
  readonly waitingFor: WaitingFor | null;
  /** Its `ItemProblem`; null without one. */
  readonly problem: string | null;
  readonly changedAt: Date;
}

/** One entry of the list. `thumbnailUrl` gives the public address of a hosted image. */
export function describeListEntry(
  item: ListedItem,
  thumbnailUrl: (contentHash: string) => string,
  { tellsProblem = false } = {},
) {
  const { shownTitle, domain, waitingFor, problem, imageSet, changedAt } = item;
  const contentHash = imageSet.images.find(({ state }) => state === 'hosted')?.contentHash ?? null;
  return {
    ...describeStatus(item),
    title: shownTitle,
    domain,
    waitingFor,
    ...(tellsProblem && problem !== null && { problem }),
    updatedAt: changedAt.toISOString(),
    thumbnailUrl: contentHash === null ? null : thumbnailUrl(contentHash),
  };
}
