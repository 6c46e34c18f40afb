import { Context } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { AccountId, BulkSyncId, DeliveryId, ItemId, RecoveryId } from '../core/ids.ts';
import { theOperator } from '../core/items/journal.ts';
import { applyChunks, endBulk, planBulk, type ChunkStep, type ChunkWish } from '../usecases/bulk-syncs/apply-chunk.ts';
import type { ChunkDependencies } from '../usecases/bulk-syncs/write-chunk.ts';
import { attemptDelivery } from '../usecases/deliveries/attempt-delivery.ts';
import type { DeliveryContext } from '../usecases/deliveries/prepare-attempt.ts';
import { advanceItem, type Advance, type AdvanceDependencies } from '../usecases/items/advance-item.ts';
import { enrichItem, type EnrichDependencies } from '../usecases/items/enrich-item.ts';
import { processImages, type ImageDependencies, type ImageStep } from '../usecases/items/process-images.ts';
import { retryItemById, type RetryOutcome } from '../usecases/items/publish-item.ts';
import { goLive } from '../usecases/listings/go-live.ts';
import { prepareListing, type ListingDependencies, type Publication } from '../usecases/listings/prepare-listing.ts';
import { reviseListing } from '../usecases/listings/revise-listing.ts';
import { takeDown } from '../usecases/listings/take-down.ts';
import { retryReceiver, type ReceiverRetryContext } from '../usecases/operations/retry-stuck.ts';
import { sendMissed, type RecoveryDependencies, type RecoveryStep } from '../usecases/recoveries/send-missed.ts';
import { lookAtReceiver, type ReceiverContext, type ReceiverTrouble } from '../usecases/webhooks/look-at-receiver.ts';

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

export interface BulkActivities {
  /** Returns the accounts with chunks to apply; empty when none is left. */
  planBulk(bulkId: BulkSyncId): Promise<readonly AccountId[]>;
  /** The next chunks of one account, for about two seconds. */
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
  /**
   * Makes the next attempt. Fails when another one is due, with the time until then: the engine tries again after it. Returns when
   * the delivery is closed.
   */
  attemptDelivery(deliveryId: DeliveryId): Promise<void>;
}

export const createDeliveryActivities = (context: DeliveryContext): DeliveryActivities => ({
  attemptDelivery: (deliveryId) =>
    withHeartbeat(async () => {
      const step = await attemptDelivery(context, deliveryId);
      if (step.kind === 'closed') return;
      throw ApplicationFailure.create({
        message: step.lastError,
        type: 'AttemptFailed',
        nextRetryDelay: Math.max(1, step.forMs),
        // The receiver's failure is in its log; it is no error of this service.
        category: ApplicationFailureCategory.BENIGN,
      });
    }),
});

export interface ReceiverActivities {
  /** Short and local. null when the target is in trouble no longer. */
  lookAtReceiver(target: string): Promise<ReceiverTrouble | null>;
  /** Local, too. Enables what the service disabled, and has a recovery send what was missed. */
  retryReceiver(target: string): Promise<RetryOutcome>;
}

export const createReceiverActivities = (context: ReceiverContext & ReceiverRetryContext): ReceiverActivities => ({
  lookAtReceiver: (target) => lookAtReceiver(context, target),
  retryReceiver: (target) => retryReceiver(context, target),
});

export interface RecoveryActivities {
  /** On the fair queue: sends missed events for some seconds. */
  sendMissed(recoveryId: RecoveryId): Promise<RecoveryStep>;
}

export const createRecoveryActivities = (dependencies: RecoveryDependencies): RecoveryActivities => ({
  sendMissed: (recoveryId) => sendMissed(dependencies, recoveryId),
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
