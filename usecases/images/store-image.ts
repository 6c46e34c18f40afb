import type { ImageFailure } from '../../core/items/image-failure.ts';
import { UnusableImage, type ImageCodec } from '../../gateways/image-codec/port.ts';
import type { ImageStore } from '../../gateways/image-store/port.ts';
import type { BeingDeleted, ImageClaim, ImageRecordStore, StoredImage } from '../../store/images/image-records.ts';
import { imageKey } from './image-key.ts';

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
  // The record only tells that the image was claimed once. Only the store tells whether the files exist.
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
    // Counted in looks, not in time: a machine that was suspended has not watched the mark.
    await pause(deletionLookMs, signal);
    [claim] = await imageRecords.claim([{ accountId: found.accountId, contentHash: found.contentHash }], now());
  }
  return claim;
}
