import type { AccountId, ItemId } from '../../core/ids.ts';
import type { ImageFailure } from '../../core/items/image-failure.ts';
import {
  forgetHostedImage,
  hasPendingImages,
  recordImageOutcomes,
  type ImageOutcome,
} from '../../core/items/image-set.ts';
import type { Item } from '../../core/items/item.ts';
import {
  UnusableImage,
  type HostOptions,
  type ImagePlaces,
  type ImageProcesses,
} from '../../gateways/image-process/port.ts';
import type { ImageStore } from '../../gateways/image-store/port.ts';
import { Batcher } from '../../platform/concurrency/batcher.ts';
import { FairSlots } from '../../platform/concurrency/fair-slots.ts';
import { sharedFor } from '../../platform/concurrency/kept-fresh.ts';
import type { BeingDeleted, ImageClaim, ImageRecordStore, StoredImage } from '../../store/images/image-records.ts';
import type { ItemStore } from '../../store/items/items.ts';
import { imageKey } from '../images/hosted-image.ts';
import { rewriteItem } from './write-item.ts';

/**
 * Limits the items whose images this process works on. Most wait for downloads, so there may be many. One account never
 * takes all, even when its image server hangs.
 */
export const createImageSteps = (): FairSlots => new FairSlots({ max: Infinity, perAccountMax: 100 });

export interface ImageDependencies extends OutcomeDependencies {
  readonly imageProcesses: ImageProcesses;
  readonly imageStore: ImageStore;
  readonly imageSteps: FairSlots;
  /** Rejects when `signal` is aborted. */
  readonly pause: (ms: number, signal?: AbortSignal) => Promise<void>;
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

interface ImageRequest extends Pick<HostOptions, 'signal'> {
  readonly accountId: AccountId;
  readonly url: string;
}

async function hostImage(
  dependencies: ImageDependencies,
  outcomes: ImageOutcomes,
  { accountId, url, signal }: ImageRequest,
): Promise<ImageOutcome | HostedImage> {
  let claim: ImageClaim | undefined;
  const placesOf = async (contentHash: string): Promise<ImagePlaces | null> => {
    claim = await claimAfterDeletion(dependencies, await outcomes.claim(contentHash), signal);
    return placesFor(dependencies, claim, outcomes.whyNoRoom);
  };
  try {
    const { contentHash, bytes } = await dependencies.imageProcesses.host(url, {
      account: accountId,
      signal,
      placesOf,
    });
    if (claim?.contentHash !== contentHash) throw new Error('an image was stored that was not claimed');
    return { state: 'hosted', contentHash, claim, stored: bytes === null ? null : { contentHash, bytes } };
  } catch (error) {
    // A stopped process says nothing about the image; the next worker tries it again.
    signal.throwIfAborted();
    if (claim === undefined) outcomes.skipClaim();
    if (error instanceof UnusableImage) return { state: 'failed', failure: error.failure };
    throw error;
  }
}

/**
 * Where the files of an image go; null: they are there already. The claim comes first, so no file exists without a record, and a
 * collector sees that the image is in use. Throws UnusableImage when the account's quota is used up. The caller confirms the claim
 * when it refers to the image (decision 37).
 */
async function placesFor(
  { imageStore }: Pick<ImageDependencies, 'imageStore'>,
  { accountId, contentHash, mayBeStored }: ImageClaim,
  whyNoRoom: () => Promise<ImageFailure | undefined>,
): Promise<ImagePlaces | null> {
  const large = imageKey(accountId, contentHash, 'large');
  const thumb = imageKey(accountId, contentHash, 'thumb');
  // The record only shows that the image was claimed once; the store shows whether the files exist.
  if (mayBeStored && (await imageStore.has(large)) && (await imageStore.has(thumb))) return null;
  const failure = await whyNoRoom();
  if (failure !== undefined) throw new UnusableImage(failure);
  return { large: await imageStore.place(large), thumb: await imageStore.place(thumb) };
}

/** A collector deletes within 10 s of its mark or not at all, so a mark three times that old belongs to a dead collector. */
const deletionLooksMax = 30;
const deletionLookMs = 1_000;

/** Waits for a deletion under way, because it would also delete files uploaded before its end. */
async function claimAfterDeletion(
  { imageRecords, pause, now }: ImageDependencies,
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
