import { setImmediate } from 'node:timers/promises';
import type { ItemId } from '../../../features/rules/ids.ts';
import { recordImageOutcomes, type ImageOutcome } from '../../../features/images/rules/image-set.ts';
import { advanceItem, type Advance, type AdvanceDependencies } from '../../../features/items/advance-item.ts';
import { rewriteItem } from '../../../features/items/write-item.ts';
import { goLive } from '../../../features/listings/go-live.ts';
import {
  prepareListing,
  type ListingDependencies,
  type Publication,
} from '../../../features/listings/prepare-listing.ts';
import { sendPrice } from '../../../features/listings/send-price.ts';
import { takeDown } from '../../../features/listings/delist.ts';
import type { FakeItems } from './fake-items.ts';
import { Mismatch } from './model-terms.ts';

/** Where a worker stops in the middle of its work: before or after the so-and-so-many-th call to the marketplace. */
export interface Stop {
  readonly call: number;
  readonly at: 'before' | 'after';
}

interface Worker {
  stop: Stop | undefined;
  calls: number;
  /** Lets it go on from where it stopped. */
  goOn: (() => void) | undefined;
  isDone: boolean;
}

export interface WorkerSurroundings {
  readonly items: FakeItems;
  readonly listings: ListingDependencies;
  readonly areImagesBroken: () => boolean;
  /** What became of the pictures that were downloaded. */
  readonly onImages: (id: ItemId, outcomes: ReadonlyMap<string, 'hosted' | 'failed'>) => void;
  readonly onFailure: (error: unknown) => void;
}

/** No item has more to do than this without anything new from outside. */
const stepsMax = 60;
const turnsMax = 1_000;

/**
 * One worker an item: its workflow, if the item needs one. Only one of them moves at a time, until it stops or comes to its end.
 */
export class ItemWorkers {
  readonly #around: WorkerSurroundings;
  readonly #workers = new Map<string, Worker>();
  #running: Worker | undefined;

  constructor(around: WorkerSurroundings) {
    this.#around = around;
  }

  /** Works on an item until nothing is left, something is waited for, or the stop is reached. One that stopped stays there. */
  async work(id: ItemId, stop?: Stop): Promise<void> {
    if (this.#workers.get(id)?.goOn !== undefined) return;
    const worker: Worker = { stop, calls: 0, goOn: undefined, isDone: false };
    this.#workers.set(id, worker);
    this.#running = worker;
    this.#run(id)
      .catch((error: unknown) => {
        if (this.#workers.get(id) === worker) this.#around.onFailure(error);
      })
      .finally(() => {
        worker.isDone = true;
      });
    await drain(worker);
  }

  /** What stopped in the middle goes on. */
  async goOn(): Promise<void> {
    for (const worker of this.#workers.values()) {
      const { goOn } = worker;
      if (goOn === undefined) continue;
      this.#running = worker;
      worker.stop = undefined;
      worker.goOn = undefined;
      goOn();
      await drain(worker);
    }
  }

  /** Processes die wherever they are: what stopped never goes on. */
  crash(): void {
    this.#workers.clear();
  }

  /** To be awaited at both ends of each call to the marketplace. */
  async gate(at: Stop['at']): Promise<void> {
    const worker = this.#running;
    if (worker === undefined) return;
    if (at === 'before') worker.calls += 1;
    const { stop } = worker;
    if (stop?.at !== at || stop.call !== worker.calls) return;
    await new Promise<void>((resolve) => {
      worker.goOn = resolve;
    });
  }

  async #run(id: ItemId): Promise<void> {
    const { items, listings } = this.#around;
    const dependencies = { items, now: listings.now };
    // What has no date is owed to no workflow.
    if (items.byId(id).startAt !== null) await this.#live(dependencies, id);
  }

  /** The workflow's loop. */
  async #live(dependencies: AdvanceDependencies, id: ItemId): Promise<void> {
    for (let step = 0; step < stepsMax; step += 1) {
      const advance = await advanceItem(dependencies, this.#around.items.byId(id));
      if (advance.kind === 'settled' || advance.kind === 'wait') return;
      await this.#step(advance, id);
    }
    throw new Mismatch(`no end after ${stepsMax} steps`);
  }

  async #step(advance: Exclude<Advance, { kind: 'settled' | 'wait' }>, id: ItemId): Promise<void> {
    const { listings } = this.#around;
    switch (advance.kind) {
      case 'process-images':
        return this.#processImages(id);
      case 'enrich':
        throw new Mismatch('nothing is to be found out here');
      case 'prepare-listing':
        return prepareListing(listings, this.#publication(advance, id));
      case 'go-live':
        return goLive(listings, this.#publication(advance, id));
      case 'send-price':
        return sendPrice(listings, this.#publication(advance, id));
      case 'take-down':
        return takeDown(listings, this.#publication(advance, id));
    }
  }

  #publication({ publication }: { readonly publication: number }, id: ItemId): Publication {
    const { accountId } = this.#around.items.byId(id);
    return { accountId, itemId: id, publication };
  }

  async #processImages(id: ItemId): Promise<void> {
    const { items, areImagesBroken, onImages } = this.#around;
    const { imageSet } = items.byId(id);
    const pending = imageSet.images.filter(({ state }) => state === 'pending').map(({ sourceUrl }) => sourceUrl);
    const state = areImagesBroken() ? 'failed' : 'hosted';
    const outcome = (url: string): ImageOutcome =>
      state === 'hosted' ? { state, contentHash: `hash of ${url}` } : { state, failure: { kind: 'not_found' } };
    onImages(id, new Map(pending.map((url) => [url, state])));
    const outcomes = new Map(pending.map((url) => [url, outcome(url)]));
    await rewriteItem(items, items.byId(id), (item) => recordImageOutcomes(item, imageSet.number, outcomes));
  }
}

async function drain(worker: Worker): Promise<void> {
  for (let turn = 0; turn < turnsMax && !worker.isDone && worker.goOn === undefined; turn += 1) await setImmediate();
}
