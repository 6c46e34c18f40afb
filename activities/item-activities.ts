import type { ItemId } from '../core/ids.ts';
import { advanceItem, type Advance, type AdvanceDependencies } from '../usecases/items/advance-item.ts';
import { enrichItem, type EnrichDependencies } from '../usecases/items/enrich-item.ts';
import { processImages, type ImageDependencies, type ImageStep } from '../usecases/items/process-images.ts';
import { goLive } from '../usecases/listings/go-live.ts';
import { reviseListing } from '../usecases/listings/revise-listing.ts';
import { takeDown } from '../usecases/listings/take-down.ts';
import { retryItemById, type RetryOutcome } from '../usecases/items/publish-item.ts';
import { theOperator } from '../core/items/journal.ts';
import { prepareListing, type ListingDependencies, type Publication } from '../usecases/listings/prepare-listing.ts';
import { withHeartbeat } from './with-heartbeat.ts';

export interface ItemActivityDependencies {
  readonly advance: AdvanceDependencies;
  readonly images: ImageDependencies;
  readonly enrichment: EnrichDependencies;
  readonly listings: ListingDependencies;
}

export interface ItemActivities {
  /** Short and local: database writes only. */
  advanceItem(itemId: ItemId): Promise<Advance>;
  /** Local, too. Tries again, in the operator's name, what failed, was given up or waits. */
  retryItem(itemId: ItemId): Promise<RetryOutcome>;
  processImages(itemId: ItemId): Promise<ImageStep>;
  enrichItem(itemId: ItemId): Promise<void>;
  prepareListing(publication: Publication): Promise<void>;
  goLive(publication: Publication): Promise<void>;
  reviseListing(publication: Publication): Promise<void>;
  takeDown(publication: Publication): Promise<void>;
}

export function createItemActivities({
  advance,
  images,
  enrichment,
  listings,
}: ItemActivityDependencies): ItemActivities {
  return {
    advanceItem: (itemId) => advanceItem(advance, itemId),
    // The workflow that asks takes the work up itself, so no bell is rung for the dispatcher.
    retryItem: (itemId) => retryItemById({ ...advance, ring: () => undefined }, itemId, { actor: theOperator }),
    processImages: (itemId) => withHeartbeat((signal) => processImages(images, itemId, signal)),
    enrichItem: (itemId) => withHeartbeat(() => enrichItem(enrichment, itemId)),
    prepareListing: (publication) => withHeartbeat(() => prepareListing(listings, publication)),
    goLive: (publication) => withHeartbeat(() => goLive(listings, publication)),
    reviseListing: (publication) => withHeartbeat(() => reviseListing(listings, publication)),
    takeDown: (publication) => withHeartbeat(() => takeDown(listings, publication)),
  };
}
