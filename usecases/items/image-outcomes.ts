import type { AccountId } from '../../core/ids.ts';
import type { ImageFailure } from '../../core/items/image-failure.ts';
import { forgetHostedImage, recordImageOutcomes, type ImageOutcome } from '../../core/items/image-set.ts';
import type { Item } from '../../core/items/item.ts';
import { Batcher } from '../../platform/concurrency/batcher.ts';
import { sharedFor } from '../../platform/concurrency/kept-fresh.ts';
import type { BeingDeleted, ImageClaim, ImageRecordStore, StoredImage } from '../../store/images/image-records.ts';
import type { ItemStore } from '../../store/items/items.ts';
import { changeItem } from './change-item.ts';

export interface OutcomeDependencies {
  readonly items: ItemStore;
  readonly imageRecords: ImageRecordStore;
  /** Why the account may host no further image; undefined while it may. */
  readonly whyNoRoom: (accountId: AccountId) => Promise<ImageFailure | undefined>;
  readonly now: () => Date;
}

export interface HostedImage {
  readonly state: 'hosted';
  readonly contentHash: string;
  readonly claim: ImageClaim;
  /** null: its files were there already. */
  readonly stored: StoredImage | null;
}

type Outcome = ImageOutcome | HostedImage;
type NamedOutcome = readonly [url: string, outcome: Outcome];

/** Images whose downloads end this close to each other are claimed together. */
const claimAfterMs = 20;
/** Not sooner: the images of an item that wait for a decoder end some tenths of a second apart. The last one waits for nothing. */
const recordAfterMs = 1_000;
const quotaReadMs = 1_000;

/** The database's part of one step: a claim, an outcome and a confirmation for each image, several images at once. */
export class ImageOutcomes {
  readonly whyNoRoom: () => Promise<ImageFailure | undefined>;
  readonly #dependencies: OutcomeDependencies;
  readonly #claims: Batcher<string, ImageClaim | BeingDeleted>;
  readonly #outcomes: Batcher<NamedOutcome, undefined>;
  #item: Item;
  #unclaimed: number;
  #unrecorded: number;

  /** @param images of how many images the step records an outcome */
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

  /** Comes before any file is stored. */
  claim(contentHash: string): Promise<ImageClaim | BeingDeleted> {
    const claim = this.#claims.add(contentHash);
    this.skipClaim();
    return claim;
  }

  /** One image fewer will be claimed: its download failed. */
  skipClaim(): void {
    this.#unclaimed -= 1;
    if (this.#unclaimed === 0) this.#claims.flush();
  }

  /** Resolves when the item has the outcome. */
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
      // A collector came between, so the file may be gone: the image is pending again and fetched anew (decision 37).
      await this.#change((item) => forgetHostedImage(item, contentHash));
  }

  /** Mostly nothing else has written the item since its last version here, so it is not read again. */
  async #change(change: (item: Item) => Item): Promise<void> {
    const { items } = this.#dependencies;
    const changed = change(this.#item);
    const stored =
      changed === this.#item
        ? this.#item
        : ((await items.replace(this.#item, changed)) ?? (await changeItem(items, this.#item.id, change)));
    if (stored !== null) this.#item = stored;
  }
}
