import type { DomainSlug } from '../../rules/domains.ts';
import { domainSchemaVersion, flattenDomain, type ExtendedAttributes } from './flatten-domain.ts';
import type { ListingTerms } from '../../listings/rules/listing-terms.ts';
import { pendingChanges, type AsPublished } from '../../listings/rules/pending-changes.ts';
import { placeholderAdId } from '../../listings/rules/publication.ts';
import { effectiveContent } from './enrich-item.ts';
import { describeImageFailure, type ImageFailure } from '../../images/rules/image-failure.ts';
import { newestListing, startPriceOre, type ImageState, type Item, type Listing } from './item.ts';
import type { ItemContent } from './item-content.ts';
import type { WaitingFor } from './processing.ts';

/** Everything about an item. Source: interface-decisions "Items", `view=full`. Money in SEK. */
export interface ItemDescription extends ItemStatus {
  readonly title: string;
  readonly description: string;
  readonly shippingCost: number | null;
  readonly weightKg: number | null;
  readonly currency: 'SEK';
  readonly imageUrls: readonly string[];
  readonly useAiEnhancement: boolean;
  /** Publication was asked for, by the first push or by `publish`, and not called off since. */
  readonly autoPublishTradera: boolean;
  /** The caller's own texts when the service improved them; else left out. */
  readonly original?: { readonly title: string; readonly description: string };
  readonly images: readonly ImageDescription[];
  readonly extendedAttributes: ExtendedAttributes;
  /** The terms as pushed; null when none were. */
  readonly listing: ListingTerms | null;
  /** The running auction; null without one. */
  readonly auction: AuctionDescription | null;
  readonly processing: ProcessingDescription;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/**
 * The state at the last look that showed a change, because looking at every auction would cost calls. All null before
 * the first look.
 */
export interface AuctionDescription {
  readonly endsAt: string | null;
  readonly bids: number | null;
  /** The highest bid, or the start price without one. SEK. */
  readonly currentPrice: number | null;
  readonly seenAt: string | null;
}

export interface ImageDescription {
  readonly sourceUrl: string;
  readonly state: ImageState;
  /** Its public address; null until it is hosted. */
  readonly url: string | null;
  readonly thumbnailUrl: string | null;
  /** Why it failed, as a sentence; null when it didn't. */
  readonly reason: string | null;
  readonly failure: ImageFailure | null;
}

export interface ProcessingDescription {
  readonly stage: string;
  readonly waitingFor: string | null;
  readonly attempts: number;
  readonly lastError: string | null;
  readonly updatedAt: string;
}

/** The service's own values in an item's extended attributes. */
export const stampOf = (item: Item) =>
  ({ externalReference: item.externalId, source: 'integration', schemaVersion: domainSchemaVersion }) as const;

/** `hostedUrl` gives the public address of a hosted image. */
export function describeItem(
  item: Item,
  hostedUrl: (contentHash: string, size: 'large' | 'thumb') => string,
): ItemDescription {
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

function describeAuction(item: Item): AuctionDescription | null {
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

/** The status answer. Source: specification "Item status (read response)". */
export interface ItemStatus {
  readonly externalId: string;
  readonly serviceItemId: string;
  readonly serviceStatus: Item['serviceStatus'];
  readonly marketplaceStatus: Item['marketplaceStatus'];
  /** Fields that the running auction can't be given; they are kept for the next publication. Left out when there are none. */
  readonly pendingChanges?: readonly string[];
  readonly marketplaceAdId: string | null;
  readonly marketplaceAdUrl: string | null;
  /** SEK. */
  readonly price: number;
  /** How many are left; only for an item with several pieces. */
  readonly quantity?: number;
}

/** What an item's status tells of. */
type Stated = AsPublished &
  Pick<Item, 'id' | 'externalId' | 'serviceStatus' | 'marketplaceStatus' | 'quantityLeft' | 'listings'>;

/** The status of an item. Money in SEK, times in ISO 8601. */
export function describeStatus(item: Stated): ItemStatus {
  const pending = pendingChanges(item);
  return {
    externalId: item.externalId,
    serviceItemId: item.id,
    serviceStatus: item.serviceStatus,
    marketplaceStatus: item.marketplaceStatus,
    ...(pending.length > 0 && { pendingChanges: pending }),
    ...describeAd(item),
    price: startPriceOre(item) / 100,
    ...(item.quantityLeft !== null && { quantity: item.quantityLeft }),
  };
}

/** An ad id is shown as `pending-…`, without an address, until the marketplace has confirmed the auction. */
function describeAd(item: Stated): Pick<ItemStatus, 'marketplaceAdId' | 'marketplaceAdUrl'> {
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

/** One item of the list. Source: specification "Item status (read response)", interface-decisions "Items". */
export interface ItemListEntry extends ItemStatus {
  readonly title: string;
  /** Also `other` for an item whose push named no domain. */
  readonly domain: DomainSlug;
  /** As `processing.waitingFor` of the item. */
  readonly waitingFor: WaitingFor | null;
  /** Only in a list of items with a problem: an `ItemProblem` of features/operations/rules/reasons.ts. */
  readonly problem?: string;
  readonly updatedAt: string;
  readonly thumbnailUrl: string | null;
}

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
): ItemListEntry {
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
