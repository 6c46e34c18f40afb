import { isAtRest } from '../../../features/items/rules/owed-work.ts';
import { blockedReasonOf } from '../../../features/operations/rules/explain-wait.ts';
import type { Item, Listing } from '../../../features/items/rules/item.ts';
import { ImageNotStored } from '../../../gateways/image-store/port.ts';
import { advanceItem, type Advance } from '../../../features/items/advance-item.ts';
import type { Logger } from '../../../platform/logger.ts';
import { goLive } from '../../../features/listings/go-live.ts';
import {
  prepareListing,
  type ListingDependencies,
  type Publication,
} from '../../../features/listings/prepare-listing.ts';
import { sendPrice } from '../../../features/listings/send-price.ts';
import { takeDown } from '../../../features/listings/delist.ts';
import { FakeItems } from '../../../verification/model/support/fake-items.ts';
import type { Auction } from '../../../verification/model/support/fake-marketplace.ts';
import { anItem, noon } from '../../support/an-item.ts';
import { ScriptedMarketplace } from './scripted-marketplace.ts';

/** What a process that was killed leaves behind: nothing after this runs. */
export class ProcessDied extends Error {
  override readonly name = 'ProcessDied';
}

export interface Stall {
  readonly isReached: Promise<void>;
  readonly goOn: () => void;
}

/** One item before a store and a marketplace in memory, worked on as the workflow does it. */
export class ListingStage {
  readonly marketplace = new ScriptedMarketplace();
  readonly items = new FakeItems((_previous, { outbox }) => {
    this.told.push(...outbox.map(({ type, data }) => [type, data['error']].filter(Boolean).join(' ')));
  }, {});
  readonly dependencies: ListingDependencies;
  /** Everything that was told so far, oldest first. */
  readonly told: string[] = [];
  /** Content hashes that can be read; null: all. */
  readableImages: readonly string[] | null = null;
  nowMs = noon.getTime();
  /** Names of the warnings for the operator. */
  readonly logged: string[] = [];
  readonly drafts: ListingDependencies['drafts'] = { last: null };

  constructor(item: Item = anItem()) {
    this.items.all.push(item);
    this.dependencies = {
      items: this.items,
      imageStore: {
        read: (key: string) =>
          this.readableImages === null || this.readableImages.some((hash) => key.includes(hash))
            ? Promise.resolve(Buffer.from('jpeg'))
            : Promise.reject(new ImageNotStored(key)),
      } as unknown as ListingDependencies['imageStore'],
      marketplace: this.marketplace,
      ensureCalls: this.marketplace.ensureCalls,
      logger: { warn: (_bindings: object, event: string) => this.logged.push(event) } as unknown as Logger,
      drafts: this.drafts,
      sellers: {
        find: () =>
          Promise.resolve({
            kind: 'connected',
            seller: sellerOf(item),
            isAfterRestore: this.isAfterRestore,
            isUnseen: this.isUnseen,
            markExpired: () => Promise.resolve(),
          }),
        watch: () => Promise.resolve(true),
      },
      fallbackCategoryId: 1,
      defaultsOf: () => Promise.resolve({}),
      pause: () => Promise.resolve(),
      now: () => this.now,
    };
  }

  /** The database was restored. */
  isAfterRestore = false;
  /** Its seller was not looked at since. */
  isUnseen = false;

  get now(): Date {
    return new Date(this.nowMs);
  }

  get item(): Item {
    const [item] = this.items.all;
    if (item === undefined) throw new Error('no item');
    return item;
  }

  get listing(): Listing {
    const listing = this.item.listings.at(-1);
    if (listing === undefined) throw new Error('no listing');
    return listing;
  }

  /** The one auction that is up. */
  get auction(): Auction {
    const [auction, ...others] = this.marketplace.auctions.filter(({ state }) => state === 'active');
    if (auction === undefined || others.length > 0) throw new Error(`${others.length} more or less auctions than one`);
    return auction;
  }

  /** Nothing is owed, and nothing is left to be stored. */
  get isSettled(): boolean {
    const { startAt } = this.item;
    return isAtRest(this.item) && (startAt === null || blockedReasonOf(this.item) !== null);
  }

  /** What a partner reads about the work. */
  get processing(): Item['processing'] {
    return this.item.processing;
  }

  /** Names a publication of the item. */
  publication(publication: number): Publication {
    const { accountId, id: itemId } = this.item;
    return { accountId, itemId, publication };
  }

  /** A write that somebody makes. */
  async write(change: (item: Item) => Item): Promise<void> {
    const { item } = this;
    if ((await this.items.replace(item, change(item))) === null) throw new Error('overtaken');
  }

  /** The short steps that are due, and which long one comes next. */
  advance(): Promise<Advance> {
    return advanceItem({ items: this.items, now: () => this.now }, this.item);
  }

  /** Works until nothing is left, something is waited for, or a step named in `before` would be next. */
  async work(before?: Advance['kind']): Promise<Advance> {
    for (let step = 0; step < 20; step += 1) {
      const advance = await this.advance();
      if (advance.kind === 'settled' || advance.kind === 'wait' || advance.kind === before) return advance;
      await this.#step(advance);
    }
    throw new Error('no end after 20 steps');
  }

  /** Works on when the present wait is over. */
  async workAfterWait(): Promise<Advance> {
    this.nowMs = Math.max(this.nowMs, this.processing.notBefore?.getTime() ?? 0);
    return this.work();
  }

  /** From now on the process dies at the end of the next call to the marketplace, which is done. */
  dieAfterNextCall(): void {
    this.marketplace.gate = (at) => {
      if (at === 'before') return Promise.resolve();
      this.marketplace.gate = () => Promise.resolve();
      return Promise.reject(new ProcessDied());
    };
  }

  /** The next call to the marketplace stalls on its way there, until it is let go on. Later calls pass it by. */
  stallNextCall(): Stall {
    const stall = { goOn: (): void => undefined };
    const stalled = new Promise<void>((resolve) => {
      stall.goOn = resolve;
    });
    const isReached = new Promise<void>((resolve) => {
      this.marketplace.gate = () => {
        this.marketplace.gate = () => Promise.resolve();
        resolve();
        return stalled;
      };
    });
    return {
      isReached,
      goOn: () => {
        stall.goOn();
      },
    };
  }

  async #step(advance: Exclude<Advance, { kind: 'settled' | 'wait' }>): Promise<void> {
    const { dependencies } = this;
    switch (advance.kind) {
      case 'process-images':
      case 'enrich':
        throw new Error(`nobody does ${advance.kind} here`);
      case 'prepare-listing':
        return prepareListing(dependencies, this.publication(advance.publication));
      case 'go-live':
        return goLive(dependencies, this.publication(advance.publication));
      case 'send-price':
        return sendPrice(dependencies, this.publication(advance.publication));
      case 'take-down':
        return takeDown(dependencies, this.publication(advance.publication));
    }
  }
}

const sellerOf = ({ accountId }: Item) => ({
  accountId,
  marketplaceUserId: '4711',
  isSandbox: false,
  token: { reveal: () => 'seller-token' },
});

/** The same with its auction up and nothing owed. */
export async function aStageWithAuction(item?: Item): Promise<ListingStage> {
  const stage = new ListingStage(item);
  await stage.work();
  stage.told.length = 0;
  return stage;
}
