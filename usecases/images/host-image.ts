import { createHash } from 'node:crypto';
import type { AccountId } from '../../core/ids.ts';
import type { ImageFailure } from '../../core/items/image-failure.ts';
import { UnusableImage, type ImageCodec } from '../../gateways/image-process/port.ts';
import { ImageDownloadError, type ImageRoom, type ImageSource, type Retry } from '../../gateways/image-process/port.ts';
import type { ImageStore } from '../../gateways/image-store/port.ts';
import { BufferPool } from '../../platform/buffer-pool.ts';
import { FairSlots, type Release } from '../../platform/concurrency/fair-slots.ts';
import type { BeingDeleted, ImageClaim, ImageRecordStore, StoredImage } from '../../store/images/image-records.ts';
import { imageKey } from './hosted-image.ts';

export interface DownloadDependencies {
  readonly imageSource: ImageSource;
  readonly downloadSlots: DownloadSlots;
  /** Rejects when `signal` is aborted. */
  readonly pause: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly now: () => Date;
}

/** Limits that all downloads of this process share. */
export interface DownloadSlots {
  /** Connections; there are many, because a download mostly waits. */
  readonly connections: FairSlots;
  /** Megabytes of images that are being read or wait for a decoder. */
  readonly megabytes: FairSlots;
  /** The buffers that hold the images. */
  readonly buffers: BufferPool;
}

/**
 * The images of one account or host never take all slots. A reseller's image host serves many accounts, and a partner's
 * own host must not be overloaded.
 */
export const createDownloadSlots = (): DownloadSlots => ({
  connections: new FairSlots({ max: 100, perAccountMax: 8, perHostMax: 24 }),
  megabytes: new FairSlots({ max: 240, perAccountMax: 80 }),
  buffers: new BufferPool(),
});

export interface ImageRequest {
  readonly accountId: AccountId;
  readonly url: string;
  readonly signal: AbortSignal;
}

export interface DownloadedImage {
  readonly bytes: Buffer;
  /** SHA-256, in hexadecimal digits. */
  readonly contentHash: string;
  /** Call it when the bytes are no longer needed. */
  readonly release: Release;
}

const megabyte = 1_000_000;
/** Waits before an image is tried again; after the last one it counts as failed. */
const retryWaitsMs: Readonly<Record<Retry, readonly number[]>> = {
  never: [],
  soon: [500, 2_000, 5_000],
  later: [3_000, 10_000],
};
/** No retry begins later than this after the first try, however slowly a server drips: a new item should be ready in 30 s. */
const patienceMs = 30_000;

/** Downloads an image as soon as its account and host have a slot. Throws {@link ImageDownloadError}, or the reason of the signal. */
export async function downloadImage(
  dependencies: DownloadDependencies,
  request: ImageRequest,
): Promise<DownloadedImage> {
  const { pause, now } = dependencies;
  const { signal } = request;
  let giveUpAt: number | undefined;
  for (let attempt = 0; ; attempt += 1) {
    const release = await takeSlot(dependencies, request);
    giveUpAt ??= now().getTime() + patienceMs;
    try {
      return await tryDownload(dependencies, request);
    } catch (error) {
      if (!(error instanceof ImageDownloadError)) throw error;
      const waitMs = retryWaitsMs[error.retry][attempt];
      if (waitMs === undefined || signal.aborted || now().getTime() + waitMs > giveUpAt) throw error;
      release();
      await pause(waitMs, signal);
    } finally {
      release();
    }
  }
}

const takeSlot = (
  { downloadSlots }: DownloadDependencies,
  { accountId, url, signal }: ImageRequest,
): Promise<Release> =>
  downloadSlots.connections.acquire(
    { account: accountId, ...(URL.canParse(url) && { host: new URL(url).host }) },
    signal,
  );

async function tryDownload(
  { imageSource, downloadSlots: { megabytes, buffers } }: DownloadDependencies,
  { accountId, url, signal }: ImageRequest,
): Promise<DownloadedImage> {
  let release: Release = () => undefined;
  const room: ImageRoom = async (bytesMax) => {
    release();
    const leave = await megabytes.acquire({ account: accountId, size: Math.ceil(bytesMax / megabyte) }, signal);
    const buffer = buffers.take(bytesMax);
    release = () => {
      release = () => undefined;
      leave();
      buffers.giveBack(buffer);
    };
    return buffer;
  };
  try {
    const bytes = await imageSource.download(url, { signal, room });
    return { bytes, contentHash: createHash('sha256').update(bytes).digest('hex'), release: () => release() };
  } catch (error) {
    release();
    throw error;
  }
}

export interface StoreImageDependencies {
  readonly imageRecords: ImageRecordStore;
  readonly imageCodec: ImageCodec;
  readonly imageStore: ImageStore;
  /** Rejects when `signal` is aborted. */
  readonly pause: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly now: () => Date;
}

interface ImageToStore {
  readonly bytes: Buffer;
  readonly signal: AbortSignal;
  /** Why the account may host no further image; undefined while it may. */
  readonly whyNoRoom: () => Promise<ImageFailure | undefined>;
}

/** A collector deletes within 10 s of its mark or not at all, so a mark three times that old belongs to a dead collector. */
const deletionLooksMax = 30;
const deletionLookMs = 1_000;

/**
 * Encodes and stores an image once per account; null: its files are there already. The claim comes first, so no file exists
 * without a record, and a collector sees that the image is in use. Throws UnusableImage, also when the account's quota is used up.
 * The caller confirms the claim when it refers to the image (decision 37).
 */
export async function storeImage(
  { imageCodec, imageStore }: StoreImageDependencies,
  { accountId, contentHash, mayBeStored }: ImageClaim,
  { bytes, signal, whyNoRoom }: ImageToStore,
): Promise<StoredImage | null> {
  const large = imageKey(accountId, contentHash, 'large');
  const thumb = imageKey(accountId, contentHash, 'thumb');
  // The record only shows that the image was claimed once; the store shows whether the files exist.
  if (mayBeStored && (await imageStore.has(large)) && (await imageStore.has(thumb))) return null;
  const failure = await whyNoRoom();
  if (failure !== undefined) throw new UnusableImage(failure);
  const encoded = await imageCodec.encode(bytes, { account: accountId, signal });
  await Promise.all([imageStore.put(large, encoded.large), imageStore.put(thumb, encoded.thumb)]);
  return { contentHash, bytes: encoded.large.length + encoded.thumb.length };
}

/** Waits for a deletion under way, because it would also delete files uploaded before its end. */
export async function claimAfterDeletion(
  { imageRecords, pause, now }: StoreImageDependencies,
  found: ImageClaim | BeingDeleted,
  signal: AbortSignal,
): Promise<ImageClaim> {
  let seen = { version: -1, times: 0 };
  let claim: ImageClaim | BeingDeleted | undefined = found;
  while (claim?.kind !== 'claimed') {
    if (claim !== undefined) {
      seen = { version: claim.version, times: claim.version === seen.version ? seen.times + 1 : 0 };
      const taken = seen.times >= deletionLooksMax ? await imageRecords.takeOver(claim, now()) : null;
      if (taken !== null) return taken;
    }
    // Counted in looks, not in time, because a suspended machine has not watched the mark.
    await pause(deletionLookMs, signal);
    [claim] = await imageRecords.claim([{ accountId: found.accountId, contentHash: found.contentHash }], now());
  }
  return claim;
}
