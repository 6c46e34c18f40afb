import type { AccountId } from '../../core/ids.ts';
import { UnusableImage, type ImageCodec } from '../../gateways/image-codec/port.ts';
import type { ImageStore } from '../../gateways/image-store/port.ts';
import type { ImageClaim, ImageId, ImageRecordStore } from '../../store/images/image-records.ts';
import { imageKey } from './image-key.ts';

export interface StoreImageDependencies {
  readonly imageRecords: ImageRecordStore;
  readonly imageCodec: ImageCodec;
  readonly imageStore: ImageStore;
  /** Why the account may host no further image; undefined while it may. */
  readonly whyNoRoom: (accountId: AccountId) => Promise<string | undefined>;
  /** Rejects when `signal` is aborted. */
  readonly pause: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly now: () => Date;
}

interface DownloadedImage extends ImageId {
  readonly bytes: Buffer;
  readonly signal: AbortSignal | undefined;
}

/** A collector deletes within 10 s of its mark or not at all, so a mark three times that old belongs to a dead collector. */
const deletionLooksMax = 30;
const deletionLookMs = 1_000;

/**
 * Encodes and stores an image once per account. The claim comes first, so no file exists without a record, and a collector sees
 * that the image is in use. Throws UnusableImage, also when the account's quota is used up. The caller confirms the claim when it
 * refers to the image (decision 37).
 */
export async function storeImage(dependencies: StoreImageDependencies, image: DownloadedImage): Promise<ImageClaim> {
  const { imageCodec, imageRecords, imageStore, whyNoRoom } = dependencies;
  const claim = await claimPatiently(dependencies, image);
  const large = imageKey(image.accountId, image.contentHash, 'large');
  const thumb = imageKey(image.accountId, image.contentHash, 'thumb');
  // The record only tells that the image was claimed once. Only the store tells whether the files exist.
  if (claim.mayBeStored && (await imageStore.has(large)) && (await imageStore.has(thumb))) return claim;
  const reason = await whyNoRoom(image.accountId);
  if (reason !== undefined) throw new UnusableImage(reason);
  const encoded = await imageCodec.encode(image.bytes);
  await Promise.all([imageStore.put(large, encoded.large), imageStore.put(thumb, encoded.thumb)]);
  await imageRecords.noteStored(image, encoded.large.length + encoded.thumb.length);
  return claim;
}

/** Waits for a deletion under way, because it would also delete files uploaded before its end. */
async function claimPatiently(
  { imageRecords, pause, now }: StoreImageDependencies,
  { accountId, contentHash, signal }: DownloadedImage,
): Promise<ImageClaim> {
  let seen = { version: -1, times: 0 };
  for (;;) {
    const claim = await imageRecords.claim({ accountId, contentHash }, now());
    if (claim.kind === 'claimed') return claim;
    seen = { version: claim.version, times: claim.version === seen.version ? seen.times + 1 : 0 };
    const taken = seen.times >= deletionLooksMax ? await imageRecords.takeOver(claim, now()) : null;
    if (taken !== null) return taken;
    // Counted in looks, not in time: a machine that was suspended has not watched the mark.
    await pause(deletionLookMs, signal);
  }
}
