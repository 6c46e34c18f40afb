import type { ItemId } from '../../core/ids.ts';
import { hasPendingImages, type ImageOutcome } from '../../core/items/image-set.ts';
import type { Item } from '../../core/items/item.ts';
import { UnusableImage } from '../../gateways/image-codec/port.ts';
import { ImageDownloadError } from '../../gateways/image-source/port.ts';
import { FairSlots } from '../../platform/concurrency/fair-slots.ts';
import { downloadImage, type DownloadDependencies, type ImageRequest } from '../images/download-image.ts';
import { claimAfterDeletion, storeImage, type StoreImageDependencies } from '../images/store-image.ts';
import { changeItem } from './change-item.ts';
import { ImageOutcomes, type HostedImage, type OutcomeDependencies } from './image-outcomes.ts';

/**
 * Items whose images this process works on. Most wait for downloads, so there are many; those of one account never take all, also
 * where its image server hangs.
 */
export const createImageSteps = (): FairSlots => new FairSlots({ max: Infinity, perAccountMax: 100 });

export interface ImageDependencies extends DownloadDependencies, StoreImageDependencies, OutcomeDependencies {
  readonly imageSteps: FairSlots;
}

/** `crowded`: nothing was begun, because this process works on many items of the account already. */
export type ImageStep = 'done' | 'crowded';

/** Hosts every pending image of the item's present set. Each image gets its outcome soon after it is known. */
export async function processImages(
  dependencies: ImageDependencies,
  id: ItemId,
  signal?: AbortSignal,
): Promise<ImageStep> {
  const item = await dependencies.items.findById(id);
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
  const { accountId } = item;
  const pending = item.imageSet.images.filter((image) => image.state === 'pending');
  const urls = [...new Set(pending.map((image) => image.sourceUrl))];
  const stopping = new AbortController();
  const either = signal === undefined ? stopping.signal : AbortSignal.any([signal, stopping.signal]);
  const outcomes = new ImageOutcomes(dependencies, item, urls.length);
  const host = async (url: string): Promise<void> => {
    try {
      await outcomes.record(url, await hostImage(dependencies, outcomes, { accountId, url, signal: either }));
    } catch (error) {
      stopping.abort(error);
      throw error;
    }
  };
  // Waits for all of them to end, so no work goes on after a failed step.
  const ends = await Promise.allSettled(urls.map(host));
  if (!ends.some((end) => end.status === 'rejected')) return;
  if (signal?.aborted !== true) await noteTrouble(dependencies, item.id);
  throw either.reason;
}

async function hostImage(
  dependencies: ImageDependencies,
  outcomes: ImageOutcomes,
  image: ImageRequest,
): Promise<ImageOutcome | HostedImage> {
  const { signal } = image;
  try {
    const { bytes, contentHash, release } = await downloadImage(dependencies, image).catch((error: unknown) => {
      outcomes.skipClaim();
      throw error;
    });
    try {
      const claim = await claimAfterDeletion(dependencies, await outcomes.claim(contentHash), signal);
      const stored = await storeImage(dependencies, claim, { bytes, signal, whyNoRoom: outcomes.whyNoRoom });
      return { state: 'hosted', contentHash, claim, stored };
    } finally {
      release();
    }
  } catch (error) {
    // A stopped process says nothing about the image; the next worker tries it again.
    signal.throwIfAborted();
    if (error instanceof ImageDownloadError || error instanceof UnusableImage)
      return { state: 'failed', failure: error.failure };
    throw error;
  }
}

const imageStoreReason = 'image_store';

/**
 * A fault of the service, not of the images (full disk, broken codec): the partner and the operator can read that the item waits.
 */
async function noteTrouble({ items, now }: ImageDependencies, id: ItemId): Promise<void> {
  await changeItem(items, id, (item) => {
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
