import { Context } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { DeliveryKey } from '../features/webhooks/store/deliveries.ts';
import type { AccountId, BulkSyncId, ItemId } from '../features/rules/ids.ts';
import type { ItemKey } from '../features/items/rules/item.ts';
import { theOperator } from '../features/items/rules/journal.ts';
import { applyChunks, endBulk, planBulk, type ChunkStep, type ChunkWish } from '../features/bulk-syncs/apply-chunk.ts';
import type { ChunkDependencies } from '../features/bulk-syncs/apply-piece.ts';
import { attemptDelivery, countFailure } from '../features/webhooks/attempt-delivery.ts';
import type { AttemptResult, DeliveryContext } from '../features/webhooks/prepare-attempt.ts';
import { advanceItem, type Advance, type AdvanceDependencies } from '../features/items/advance-item.ts';
import { enrichItem, type EnrichDependencies } from '../features/items/enrich-item.ts';
import { processImages, type ImageDependencies, type ImageStep } from '../features/images/process-images.ts';
import { retryItemById, type RetryOutcome } from '../features/items/publish-item.ts';
import { goLive } from '../features/listings/go-live.ts';
import { prepareListing, type ListingDependencies, type Publication } from '../features/listings/prepare-listing.ts';
import { sendPrice } from '../features/listings/send-price.ts';
import { takeDown } from '../features/listings/delist.ts';
import { retryReceiver, type ReceiverRetryContext } from '../features/operations/retry-stuck.ts';
import {
  workReceiver,
  type ReceiverContext,
  type ReceiverStep,
  type ReceiverWish,
} from '../features/webhooks/work-receiver.ts';

export interface ItemActivityDependencies {
  readonly advance: AdvanceDependencies;
  readonly images: ImageDependencies;
  readonly enrichment: EnrichDependencies;
  readonly listings: ListingDependencies;
}

export interface NamedItem {
  readonly accountId: AccountId;
  readonly itemId: ItemId;
}

const keyOf = ({ accountId, itemId: id }: NamedItem): ItemKey => ({ accountId, id });

export interface ItemActivities {
  /** A local activity, because it only writes to the database. */
  advanceItem(item: NamedItem): Promise<Advance>;
  /** A local activity: retries, in the operator's name, what failed, was given up or waits. */
  retryItem(item: NamedItem): Promise<RetryOutcome>;
  processImages(item: NamedItem): Promise<ImageStep>;
  enrichItem(item: NamedItem): Promise<void>;
  prepareListing(publication: Publication): Promise<void>;
  goLive(publication: Publication): Promise<void>;
  sendPrice(publication: Publication): Promise<void>;
  takeDown(publication: Publication): Promise<void>;
}

/** The activities of items. Each call reads the item anew, so a repeated one is safe. */
export function createItemActivities({
  advance,
  images,
  enrichment,
  listings,
}: ItemActivityDependencies): ItemActivities {
  return {
    advanceItem: (item) => advanceItem(advance, keyOf(item)),
    retryItem: (item) => retryItemById(advance, keyOf(item), { actor: theOperator }),
    processImages: (item) => withHeartbeat((signal) => processImages(images, keyOf(item), signal)),
    enrichItem: (item) => withHeartbeat(() => enrichItem(enrichment, keyOf(item))),
    prepareListing: (publication) => withHeartbeat(() => prepareListing(listings, publication)),
    goLive: (publication) => withHeartbeat(() => goLive(listings, publication)),
    sendPrice: (publication) => withHeartbeat(() => sendPrice(listings, publication)),
    takeDown: (publication) => withHeartbeat(() => takeDown(listings, publication)),
  };
}

export interface BulkActivities {
  /** Returns the accounts with chunks to apply; empty when none is left. */
  planBulk(bulkId: BulkSyncId): Promise<readonly AccountId[]>;
  /** Applies the next chunks of one account, for about two seconds. */
  applyChunk(wish: Omit<ChunkWish, 'attempt'>): Promise<ChunkStep>;
  endBulk(bulkId: BulkSyncId): Promise<void>;
}

export const createBulkActivities = (dependencies: ChunkDependencies): BulkActivities => ({
  planBulk: (bulkId) => planBulk(dependencies, bulkId),
  applyChunk: (wish) =>
    withHeartbeat(() => applyChunks(dependencies, { ...wish, attempt: Context.current().info.attempt })),
  endBulk: (bulkId) => endBulk(dependencies, bulkId),
});

export interface DeliveryActivities {
  /** Makes the attempt with this number. It is repeated while the receiver has no room for it. */
  attemptDelivery(delivery: DeliveryKey, attempt: number): Promise<AttemptResult>;
  /** A local activity: closes a delivery whose attempts have failed, and counts it. */
  countFailure(delivery: DeliveryKey): Promise<void>;
}

export const createDeliveryActivities = (context: DeliveryContext): DeliveryActivities => ({
  attemptDelivery: (delivery, attempt) =>
    withHeartbeat(async () => {
      const answer = await attemptDelivery(context, delivery, attempt);
      if (typeof answer === 'string') return answer;
      throw ApplicationFailure.create({
        message: answer.because,
        type: 'Busy',
        nextRetryDelay: Math.max(1, answer.againInMs),
        category: ApplicationFailureCategory.BENIGN,
      });
    }),
  countFailure: (delivery) => countFailure(context, delivery),
});

export interface ReceiverActivities {
  /** Sends what waits for a target, and what it has missed, for up to ten seconds. */
  workReceiver(wish: Omit<ReceiverWish, 'signal'>): Promise<ReceiverStep>;
  /** A local activity: enables what the service disabled, and starts a recovery of the missed events. */
  retryReceiver(target: ReceiverWish['target']): Promise<RetryOutcome>;
}

/** The activities of one receiver. `stopping` ends its work early, because the process ends. */
export const createReceiverActivities = (
  context: ReceiverContext & ReceiverRetryContext,
  stopping: AbortSignal,
): ReceiverActivities => ({
  workReceiver: (wish) =>
    withHeartbeat((signal) => workReceiver(context, { ...wish, signal: AbortSignal.any([signal, stopping]) })),
  retryReceiver: (target) => retryReceiver(context, target),
});

const everyMs = 2_000;

/** Sends heartbeats while `work` runs, so that a dead worker is noticed within seconds even during a long call. */
async function withHeartbeat<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const context = Context.current();
  const timer = setInterval(() => context.heartbeat(), everyMs);
  try {
    return await work(context.cancellationSignal);
  } finally {
    clearInterval(timer);
  }
}
