import { createHash } from 'node:crypto';
import pLimit from 'p-limit';
import type { AccountId, ItemId } from '../../core/ids.ts';
import {
  forgetHostedImage,
  hasPendingImages,
  recordImageOutcomes,
  type ImageOutcome,
} from '../../core/items/image-set.ts';
import type { Item } from '../../core/items/item.ts';
import { UnusableImage } from '../../gateways/image-codec/port.ts';
import { ImageDownloadError, type ImageSource } from '../../gateways/image-source/port.ts';
import type { ImageClaim } from '../../store/images/image-records.ts';
import type { ItemStore } from '../../store/items/items.ts';
import { storeImage, type StoreImageDependencies } from '../images/store-image.ts';
import { changeItem } from './change-item.ts';

export interface ImageDependencies extends StoreImageDependencies {
  readonly items: ItemStore;
  readonly imageSource: ImageSource;
}

/** Parallel downloads per item: enough to hide latency, and few enough not to overload a partner's server. */
const imagesAtOnce = 4;
/** Waits before a transient failure is tried again; after the last one the image counts as failed. */
const retryWaitsMs = [500, 2_000, 5_000];
/** No retry begins later than this after the first try, however slowly a server drips: a new item should be ready in 30 s. */
const patienceMs = 30_000;

/** Hosts every pending image of the item's present set. Each image gets its outcome as soon as it is known. */
export async function processImages(dependencies: ImageDependencies, id: ItemId, signal?: AbortSignal): Promise<void> {
  const item = await dependencies.items.findById(id);
  if (item === null || !hasPendingImages(item)) return;
  const pending = item.imageSet.images.filter((image) => image.state === 'pending');
  const urls = new Set(pending.map((image) => image.sourceUrl));
  const stopping = new AbortController();
  const either = signal === undefined ? stopping.signal : AbortSignal.any([signal, stopping.signal]);
  const host = async (url: string): Promise<void> => {
    either.throwIfAborted();
    await hostImage(dependencies, item, { url, signal: either }).catch((error: unknown) => {
      stopping.abort(error);
      throw error;
    });
  };
  const limit = pLimit(imagesAtOnce);
  // Waits for all downloads to end, so no work goes on after a failed step.
  const ends = await Promise.allSettled([...urls].map((url) => limit(host, url)));
  if (!ends.some((end) => end.status === 'rejected')) return;
  if (signal?.aborted !== true) await noteTrouble(dependencies, id);
  throw either.reason;
}

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

const imageStoreReason = 'image_store';

interface Download {
  readonly url: string;
  readonly signal: AbortSignal;
}

async function hostImage(dependencies: ImageDependencies, item: Item, download: Download): Promise<void> {
  const { items, imageRecords, now } = dependencies;
  const hosted = await fetchAndStore(dependencies, item.accountId, download);
  const outcomes = new Map([[download.url, hosted.outcome]]);
  await changeItem(items, item.id, (current) => recordImageOutcomes(current, item.imageSet.number, outcomes));
  if (hosted.claim === null || (await imageRecords.confirm(hosted.claim, now()))) return;
  // A collector came between, so the file may be gone: the image is pending again and fetched anew (decision 37).
  const { contentHash } = hosted.claim;
  await changeItem(items, item.id, (current) => forgetHostedImage(current, contentHash));
}

interface Fetched {
  readonly outcome: ImageOutcome;
  readonly claim: ImageClaim | null;
}

async function fetchAndStore(
  dependencies: ImageDependencies,
  accountId: AccountId,
  download: Download,
): Promise<Fetched> {
  try {
    const bytes = await downloadPatiently(dependencies, download);
    const contentHash = createHash('sha256').update(bytes).digest('hex');
    const claim = await storeImage(dependencies, { accountId, contentHash, bytes, signal: download.signal });
    return { outcome: { state: 'hosted', contentHash }, claim };
  } catch (error) {
    // A stopped process says nothing about the image; the next worker tries it again.
    download.signal.throwIfAborted();
    if (error instanceof ImageDownloadError || error instanceof UnusableImage)
      return { outcome: { state: 'failed', reason: error.reason }, claim: null };
    throw error;
  }
}

async function downloadPatiently(
  { imageSource, pause, now }: ImageDependencies,
  { url, signal }: Download,
): Promise<Buffer> {
  const giveUpAt = now().getTime() + patienceMs;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await imageSource.download(url, signal);
    } catch (error) {
      const waitMs = retryWaitsMs[attempt];
      if (!(error instanceof ImageDownloadError) || !error.transient || waitMs === undefined) throw error;
      if (signal.aborted || now().getTime() + waitMs > giveUpAt) throw error;
      await pause(waitMs, signal);
    }
  }
}
