import { createHash } from 'node:crypto';
import pLimit from 'p-limit';
import type { AccountId, ItemId } from '../../core/ids.ts';
import { hasPendingImages, recordImageOutcomes, type ImageOutcome } from '../../core/items/image-set.ts';
import { UnusableImage, type ImageCodec, type ImageSize } from '../../gateways/image-codec/port.ts';
import { ImageDownloadError, type ImageSource } from '../../gateways/image-source/port.ts';
import type { ImageStore } from '../../gateways/image-store/port.ts';
import type { ImageRecordStore } from '../../store/image-records.ts';
import type { ItemStore } from '../../store/items.ts';
import { changeItem } from './change-item.ts';

export interface ImageDependencies {
  readonly items: ItemStore;
  readonly imageRecords: ImageRecordStore;
  readonly imageSource: ImageSource;
  readonly imageCodec: ImageCodec;
  readonly imageStore: ImageStore;
  readonly now: () => Date;
}

/** Downloads of one item at the same time: enough to hide latency, few enough not to hammer a partner's server. */
const imagesAtOnce = 4;
/** Waits before a transient failure is tried again; after the last one the image counts as failed. */
const retryWaitsMs = [500, 2_000, 5_000];

export const imageKey = (account: AccountId, contentHash: string, size: ImageSize): string =>
  `${account}/${contentHash}/${size}.jpg`;

/** Hosts every pending image of the item's present set. Each image gets its outcome as soon as it is known. */
export async function processImages(dependencies: ImageDependencies, id: ItemId, signal?: AbortSignal): Promise<void> {
  const item = await dependencies.items.findById(id);
  if (item === null || !hasPendingImages(item)) return;
  const limit = pLimit(imagesAtOnce);
  const urls = new Set(
    item.imageSet.images.filter((image) => image.state === 'pending').map((image) => image.sourceUrl),
  );
  await Promise.all(
    [...urls].map((url) =>
      limit(async () => {
        signal?.throwIfAborted();
        const outcome = await hostImage(dependencies, item.accountId, { url, signal });
        const outcomes = new Map([[url, outcome]]);
        await changeItem(dependencies.items, id, (current) =>
          recordImageOutcomes(current, item.imageSet.number, outcomes),
        );
      }),
    ),
  );
}

interface Download {
  readonly url: string;
  readonly signal: AbortSignal | undefined;
}

async function hostImage(
  dependencies: ImageDependencies,
  account: AccountId,
  download: Download,
): Promise<ImageOutcome> {
  try {
    const bytes = await downloadPatiently(dependencies.imageSource, download);
    const contentHash = createHash('sha256').update(bytes).digest('hex');
    await storeOnce(dependencies, account, { bytes, contentHash });
    return { state: 'hosted', contentHash };
  } catch (error) {
    // A process that is stopped says nothing about the image: the next one tries it again.
    download.signal?.throwIfAborted();
    if (error instanceof ImageDownloadError || error instanceof UnusableImage)
      return { state: 'failed', reason: error.reason };
    throw error;
  }
}

async function downloadPatiently(source: ImageSource, { url, signal }: Download): Promise<Buffer> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await source.download(url, signal);
    } catch (error) {
      const waitMs = retryWaitsMs[attempt];
      if (
        !(error instanceof ImageDownloadError) ||
        !error.transient ||
        waitMs === undefined ||
        signal?.aborted === true
      )
        throw error;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}

/** The same bytes are encoded and stored once an account; the claim keeps the collector away from them (protocol 9). */
async function storeOnce(
  { imageRecords, imageCodec, imageStore, now }: ImageDependencies,
  account: AccountId,
  image: { bytes: Buffer; contentHash: string },
): Promise<void> {
  const keys = {
    large: imageKey(account, image.contentHash, 'large'),
    thumb: imageKey(account, image.contentHash, 'thumb'),
  };
  const isClaimed = await imageRecords.claim(account, image.contentHash, now());
  // The record says that it was stored once; whether it is still there only the store knows.
  if (isClaimed && (await imageStore.has(keys.large)) && (await imageStore.has(keys.thumb))) return;
  const encoded = await imageCodec.encode(image.bytes);
  await Promise.all([imageStore.put(keys.large, encoded.large), imageStore.put(keys.thumb, encoded.thumb)]);
  await imageRecords.recordStored(account, image.contentHash, now());
}
