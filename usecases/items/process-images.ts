import type { AccountId, ItemId } from '../../core/ids.ts';
import type { ImageFailure } from '../../core/items/image-failure.ts';
import {
  forgetHostedImage,
  hasPendingImages,
  recordImageOutcomes,
  type ImageOutcome,
} from '../../core/items/image-set.ts';
import type { Item } from '../../core/items/item.ts';
import { UnusableImage } from '../../gateways/image-process/port.ts';
import { ImageDownloadError } from '../../gateways/image-process/port.ts';
import { Batcher } from '../../platform/concurrency/batcher.ts';
import { FairSlots } from '../../platform/concurrency/fair-slots.ts';
import { sharedFor } from '../../platform/concurrency/kept-fresh.ts';
import type { BeingDeleted, ImageClaim, ImageRecordStore, StoredImage } from '../../store/images/image-records.ts';
import type { ItemStore } from '../../store/items/items.ts';
import {
  claimAfterDeletion,
  downloadImage,
  storeImage,
  type DownloadDependencies,
  type ImageRequest,
  type StoreImageDependencies,
} from '../images/host-image.ts';
import { rewriteItem } from './write-item.ts';

/**
 * Limits the items whose images this process works on. Most wait for downloads, so there may be many. One account never
 * takes all, even when its image server hangs.
 */
export const createImageSteps = (): FairSlots => new FairSlots({ max: Infinity, perAccountMax: 100 });

export interface ImageDependencies extends DownloadDependencies, StoreImageDependencies, OutcomeDependencies {
  readonly imageSteps: FairSlots;
}

/** `crowded`: nothing was begun, because this process already works on many items of the account. */
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
 * A fault of the service and not of the images (full disk, broken codec). Partner and operator can read that the item
 * waits for it.
 */
async function noteTrouble({ items, now }: ImageDependencies, id: ItemId): Promise<void> {
  await rewriteItem(items, id, (item) => {
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
  /** Why the account may host no further image; undefined while it may. */
  readonly whyNoRoom: (accountId: AccountId) => Promise<ImageFailure | undefined>;
  readonly now: () => Date;
}

interface HostedImage {
  readonly state: 'hosted';
  readonly contentHash: string;
  readonly claim: ImageClaim;
  /** null: its files were stored already. */
  readonly stored: StoredImage | null;
}

type Outcome = ImageOutcome | HostedImage;
type NamedOutcome = readonly [url: string, outcome: Outcome];

/** Images whose downloads end within this time are claimed together. */
const claimAfterMs = 20;
/**
 * Long enough to collect the images of an item, which leave the decoder some tenths of a second apart. The last one is
 * recorded at once.
 */
const recordAfterMs = 1_000;
const quotaReadMs = 1_000;

/** The database's part of one step: claim, outcome and confirmation of each image, several images together. */
class ImageOutcomes {
  readonly whyNoRoom: () => Promise<ImageFailure | undefined>;
  readonly #dependencies: OutcomeDependencies;
  readonly #claims: Batcher<string, ImageClaim | BeingDeleted>;
  readonly #outcomes: Batcher<NamedOutcome, undefined>;
  #item: Item;
  #unclaimed: number;
  #unrecorded: number;

  /** @param images number of images whose outcome the step records */
  constructor(dependencies: OutcomeDependencies, item: Item, images: number) {
    const { imageRecords, whyNoRoom, now } = dependencies;
    const { accountId } = item;
    this.#dependencies = dependencies;
    this.#item = item;
    this.#unclaimed = images;
    this.#unrecorded = images;
    this.whyNoRoom = sharedFor(quotaReadMs, () => whyNoRoom(accountId));
    this.#claims = new Batcher({
      sizeMax: images,
      begin: { afterMs: claimAfterMs },
      commit: (hashes) =>
        imageRecords.claim(
          hashes.map((contentHash) => ({ accountId, contentHash })),
          now(),
        ),
    });
    this.#outcomes = new Batcher({
      sizeMax: images,
      begin: { afterMs: recordAfterMs },
      commit: async (outcomes) => {
        await this.#write(outcomes);
        return outcomes.map(() => undefined);
      },
    });
  }

  /** Must come before any file is stored. */
  claim(contentHash: string): Promise<ImageClaim | BeingDeleted> {
    const claim = this.#claims.add(contentHash);
    this.skipClaim();
    return claim;
  }

  /** Expects one claim less, because a download failed. */
  skipClaim(): void {
    this.#unclaimed -= 1;
    if (this.#unclaimed === 0) this.#claims.flush();
  }

  /** Resolves when the item holds the outcome. */
  record(url: string, outcome: Outcome): Promise<undefined> {
    const recorded = this.#outcomes.add([url, outcome]);
    this.#unrecorded -= 1;
    if (this.#unrecorded === 0) this.#outcomes.flush();
    return recorded;
  }

  async #write(outcomes: readonly NamedOutcome[]): Promise<void> {
    const { imageRecords, now } = this.#dependencies;
    const hosted = outcomes.flatMap(([, outcome]) => ('claim' in outcome ? [outcome] : []));
    const stored = hosted.flatMap((image) => image.stored ?? []);
    if (stored.length > 0) await imageRecords.noteStored(this.#item.accountId, stored);
    const { number } = this.#item.imageSet;
    await this.#change((item) => recordImageOutcomes(item, number, new Map(outcomes)));
    if (hosted.length === 0) return;
    const claims = hosted.map(({ claim }) => claim);
    for (const { contentHash } of await imageRecords.confirm(claims, now()))
      // A collector came between, so the file may be gone. The image becomes pending again and is fetched anew
      // (decision 37).
      await this.#change((item) => forgetHostedImage(item, contentHash));
  }

  /** Usually no other process has written the item since its last version here, so it is not read again. */
  async #change(change: (item: Item) => Item): Promise<void> {
    const { items } = this.#dependencies;
    const changed = change(this.#item);
    const stored =
      changed === this.#item
        ? this.#item
        : ((await items.replace(this.#item, changed)) ?? (await rewriteItem(items, this.#item.id, change)));
    if (stored !== null) this.#item = stored;
  }
}
