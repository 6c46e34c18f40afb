import { forgetHostedImage, hasPendingImages, recordImageOutcomes } from './rules/image-set.ts';
import type { Item, ItemKey } from '../items/rules/item.ts';
import { FairSlots } from '../../platform/concurrency/fair-slots.ts';
import type { ImageClaim, ImageClaimStore } from './store/image-claims.ts';
import type { ImageRecordStore } from './store/image-records.ts';
import type { ItemStore } from '../items/store/items.ts';
import { ImageUploads, type UploadDependencies, type UploadOutcome } from './image-uploads.ts';
import { rewriteItem } from '../items/write-item.ts';

/**
 * Limits the items whose images this process works on. Most wait for downloads, so there may be many. One account never
 * takes all, even when its image server hangs.
 */
export const createImageSteps = (): FairSlots => new FairSlots({ max: Infinity, perAccountMax: 100 });

export interface ImageDependencies extends UploadDependencies, OutcomeDependencies {
  readonly imageSteps: FairSlots;
}

/** `crowded`: nothing was begun, because this process already works on many items of the account. */
export type ImageStep = 'done' | 'crowded';

/** Hosts every pending image of the item's present set, and records their outcomes together. */
export async function processImages(
  dependencies: ImageDependencies,
  key: ItemKey,
  signal?: AbortSignal,
): Promise<ImageStep> {
  const item = await dependencies.items.findById(key);
  if (item === null || !hasPendingImages(item)) return 'done';
  const release = dependencies.imageSteps.take({ account: item.accountId });
  if (release === null) return 'crowded';
  try {
    await hostPending(dependencies, item, signal);
    return 'done';
  } finally {
    release();
  }
}

async function hostPending(dependencies: ImageDependencies, item: Item, signal?: AbortSignal): Promise<void> {
  const pending = item.imageSet.images.filter((image) => image.state === 'pending');
  const urls = [...new Set(pending.map((image) => image.sourceUrl))];
  const stopping = new AbortController();
  const either = signal === undefined ? stopping.signal : AbortSignal.any([signal, stopping.signal]);
  try {
    const { imageClaims, now } = dependencies;
    const { id: itemId, accountId, imageSet } = item;
    // Comes before the first file, which no record names yet.
    const claim = await imageClaims.open({ itemId, number: imageSet.number, accountId }, now());
    const uploads = new ImageUploads(dependencies, accountId, either);
    const host = async (url: string): Promise<readonly [string, UploadOutcome]> => [url, await uploads.host(url)];
    // Waits for all of them to end, so no work goes on after a failed step.
    const ends = await Promise.allSettled(
      urls.map((url) => host(url).catch((error: unknown) => stop(stopping, error))),
    );
    const outcomes = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
    if (outcomes.length < urls.length) throw either.reason;
    await recordOutcomes(dependencies, { item, claim, outcomes });
  } catch (error) {
    if (signal?.aborted !== true) await noteTrouble(dependencies, item);
    throw error;
  }
}

function stop(stopping: AbortController, error: unknown): never {
  stopping.abort(error);
  throw error;
}

const imageStoreReason = 'image_store';

/**
 * A fault of the service and not of the images (full disk, broken codec). Partner and operator can read that the item
 * waits for it.
 */
async function noteTrouble({ items, now }: ImageDependencies, key: ItemKey): Promise<void> {
  await rewriteItem(items, key, (item) => {
    const { processing } = item;
    const isSame = processing.waitingFor === imageStoreReason;
    return {
      ...item,
      processing: {
        stage: 'images',
        waitingFor: imageStoreReason,
        attempts: isSame ? processing.attempts + 1 : 1,
        lastError: 'IMAGE_STORE_FAILED: the service could not store the images; it tries again',
        since: isSame ? processing.since : now(),
        notBefore: null,
        updatedAt: now(),
      },
    };
  });
}

interface OutcomeDependencies {
  readonly items: ItemStore;
  readonly imageRecords: ImageRecordStore;
  readonly imageClaims: ImageClaimStore;
  readonly now: () => Date;
}

interface StepOutcome {
  readonly item: Item;
  readonly claim: ImageClaim;
  readonly outcomes: readonly (readonly [url: string, outcome: UploadOutcome])[];
}

/**
 * Names what is hosted, records the outcomes and closes the claim, in this order: so a collector that deletes an image either is
 * seen by the naming, or sees the item, or has voided the claim before (decisions "Images"). What may be gone is pending again.
 */
async function recordOutcomes(
  { items, imageRecords, imageClaims, now }: OutcomeDependencies,
  { item, claim, outcomes }: StepOutcome,
): Promise<void> {
  const hosted = new Map(outcomes.flatMap(([, end]) => (end.state === 'hosted' ? [[end.contentHash, end]] : [])));
  const lost = await imageRecords.name(item.accountId, [...hosted.values()], now());
  const kept = new Map(outcomes.filter(([, end]) => end.state === 'failed' || !lost.has(end.contentHash)));
  const recorded = recordImageOutcomes(item, item.imageSet.number, kept);
  // Usually no other process has written the item meanwhile, so it is not read again.
  if (recorded !== item && (await items.replace(item, recorded)) === null)
    await rewriteItem(items, item, (newer) => recordImageOutcomes(newer, item.imageSet.number, kept));
  if (await imageClaims.close(claim)) return;
  await rewriteItem(items, item, (newer) => [...hosted.keys()].reduce(forgetHostedImage, newer));
}
