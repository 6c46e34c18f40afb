import type { AccountId } from '../rules/ids.ts';
import type { ImageFailure } from './rules/image-failure.ts';
import type { ImageOutcome } from './rules/image-set.ts';
import { UnusableImage, type ImagePlaces, type ImageProcesses } from '../../gateways/image-process/port.ts';
import type { ImageStore } from '../../gateways/image-store/port.ts';
import { sharedFor } from '../../platform/concurrency/kept-fresh.ts';
import type { FoundImage, ImageRecordStore, NamedImage } from './store/image-records.ts';
import { imageKey } from './hosted-image.ts';

export interface UploadDependencies {
  readonly imageProcesses: ImageProcesses;
  readonly imageStore: ImageStore;
  readonly imageRecords: ImageRecordStore;
  /** Why the account may host no further image; undefined while it may. */
  readonly whyNoRoom: (accountId: AccountId) => Promise<ImageFailure | undefined>;
  /** Rejects when `signal` is aborted. */
  readonly pause: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly now: () => Date;
}

export interface HostedImage extends NamedImage {
  readonly state: 'hosted';
}

export type UploadOutcome = HostedImage | Extract<ImageOutcome, { state: 'failed' }>;

const quotaReadMs = 1_000;
/** A collector deletes within 10 s of its mark or not at all, so a mark three times that old belongs to a dead collector. */
const deletionLooksMax = 30;
const deletionLookMs = 1_000;

/** The uploads of one step. They write no row of the database: the step's claim holds what they store. */
export class ImageUploads {
  readonly #dependencies: UploadDependencies;
  readonly #accountId: AccountId;
  readonly #signal: AbortSignal;
  readonly #whyNoRoom: () => Promise<ImageFailure | undefined>;

  constructor(dependencies: UploadDependencies, accountId: AccountId, signal: AbortSignal) {
    this.#dependencies = dependencies;
    this.#accountId = accountId;
    this.#signal = signal;
    this.#whyNoRoom = sharedFor(quotaReadMs, () => dependencies.whyNoRoom(accountId));
  }

  async host(url: string): Promise<UploadOutcome> {
    const signal = this.#signal;
    let found: FoundImage | null = null;
    const placesOf = async (contentHash: string): Promise<ImagePlaces | null> => {
      found = await this.#afterDeletion(contentHash);
      return this.#placesFor(contentHash, found !== null);
    };
    try {
      const { imageProcesses } = this.#dependencies;
      const { contentHash, bytes } = await imageProcesses.host(url, { account: this.#accountId, signal, placesOf });
      return { state: 'hosted', contentHash, ...(bytes === null ? generationOf(found) : { bytes }) };
    } catch (error) {
      // A stopped process says nothing about the image; the next worker tries it again.
      signal.throwIfAborted();
      if (error instanceof UnusableImage) return { state: 'failed', failure: error.failure };
      throw error;
    }
  }

  /**
   * Where the files of an image go; null: they are there already. Throws UnusableImage when the account's quota is used up.
   */
  async #placesFor(contentHash: string, mayBeStored: boolean): Promise<ImagePlaces | null> {
    const { imageStore } = this.#dependencies;
    const large = imageKey(this.#accountId, contentHash, 'large');
    const thumb = imageKey(this.#accountId, contentHash, 'thumb');
    // The record only shows that the image was named once; the store shows whether the files exist.
    if (mayBeStored && (await imageStore.has(large)) && (await imageStore.has(thumb))) return null;
    const failure = await this.#whyNoRoom();
    if (failure !== undefined) throw new UnusableImage(failure);
    return { large: await imageStore.place(large), thumb: await imageStore.place(thumb) };
  }

  /** The record of an image. Waits for a deletion under way, because it would also delete files uploaded before its end. */
  async #afterDeletion(contentHash: string): Promise<FoundImage | null> {
    const { imageRecords, pause, now } = this.#dependencies;
    let seen = { version: -1, times: 0 };
    for (;;) {
      const found = await imageRecords.find(this.#accountId, contentHash);
      if (found?.state !== 'deleting') return found;
      seen = { version: found.version, times: found.version === seen.version ? seen.times + 1 : 0 };
      if (seen.times >= deletionLooksMax && (await imageRecords.takeOver(found, now()))) continue;
      // Counted in looks, not in time, because a suspended machine has not watched the mark.
      await pause(deletionLookMs, this.#signal);
    }
  }
}

const generationOf = (found: FoundImage | null): Pick<NamedImage, 'generation'> =>
  found === null ? {} : { generation: found.generation };
