import { withAllThatIsStored } from '../../support/told-of.ts';
import { randomUUID } from 'node:crypto';
import { accountId, itemId, orderId, type AccountId } from '../../../features/rules/ids.ts';
import type { Item, ListingState } from '../../../features/items/rules/item.ts';
import { changeNewestListing, openListing } from '../../../features/listings/rules/publication.ts';
import { wholeKronorFromOre } from '../../../features/rules/money.ts';
import { MarketplaceError, type Auction, type SellerTransaction } from '../../../gateways/marketplace/port.ts';
import type { Logger } from '../../../platform/logger.ts';
import type { StoreConnection } from '../../../platform/database/connection.ts';
import { createItemStore } from '../../../features/items/store/items.ts';
import {
  connectMarketplace,
  removeMarketplaceConnection,
} from '../../../features/listings/store/marketplace-connections.ts';
import { createMarketplaceWatch } from '../../../features/listings/store/marketplace-watch.ts';
import { createOrderStore, findOrder, type OrderRow } from '../../../features/orders/store/orders.ts';
import { lookAtDueSeller } from '../../../features/listings/look-at-sellers.ts';
import type { LookDependencies, LookPace } from '../../../features/listings/look.ts';
import type { PaidOrder } from '../../../features/orders/follow-marketplace-orders.ts';
import { aLiveItem, anAd, later } from '../../support/an-item.ts';

export const hour = 3_600_000;
export const day = 24 * hour;

/** An account, connected at noon, with one auction up; and what the marketplace shows of it. The marketplace is in memory. */
export class Market {
  readonly account: AccountId = accountId(randomUUID());
  readonly sales: SellerTransaction[] = [];
  /** All auctions of the seller, running and ended. */
  readonly auctions: Auction[] = [];
  /** Auctions that are in no list, though they can be read. */
  readonly unlisted = new Set<string>();
  /** The order of the sale. */
  readonly orderId = `ord_${this.account}`;
  /** What was called in the last look. */
  calls: string[] = [];
  readonly logged: string[] = [];
  paid: PaidOrder[] = [];
  failing: string | undefined;
  mark = '7';
  hintMs: number | null = null;
  platformFeeBps = 500;
  /** Happens after a look has read the auctions, and before it writes to the items. */
  afterRead: (() => Promise<unknown>) | undefined;
  nowMs = 0;
  /** The pause after the last look. */
  pausedMs = 0;
  readonly id = itemId(randomUUID());
  readonly #store: StoreConnection;
  readonly #items: ReturnType<typeof createItemStore>;
  readonly #watch: ReturnType<typeof createMarketplaceWatch>;

  constructor(store: StoreConnection) {
    this.#store = store;
    this.#items = createItemStore(store);
    this.#watch = createMarketplaceWatch(store);
  }

  /** The item went up at noon. */
  async begin(change: Partial<Item> = {}): Promise<this> {
    await this.connect('first');
    await this.goLive();
    const item = aLiveItem({ id: this.id, accountId: this.account, ...change });
    await this.#items.insert(changeNewestListing(item, { pricedAt: later(0) }));
    this.auctions.push(this.auction(anAd.adId));
    return this;
  }

  /** As a publication announces itself. */
  async goLive(): Promise<void> {
    await this.#watch.watch(this.account, { marketplaceUserId: '4711', at: later(this.nowMs) });
  }

  /** Whether and when the seller is looked at next, in ms after noon. */
  async nextLookMs(): Promise<number | null> {
    const at = (await this.#watch.find(this.account))?.nextLookAt;
    return at === undefined ? null : at.getTime() - later(0).getTime();
  }

  auction(adId: string, change: Partial<Auction> = {}): Auction {
    const own = wholeKronorFromOre(aLiveItem().content.priceOre);
    return {
      adId,
      adUrl: `https://marketplace.example/item/${adId}`,
      ownReferences: [`${this.id}:1`],
      startPriceKronor: own,
      reservePriceKronor: null,
      buyNowPriceKronor: null,
      isOver: false,
      hasWinner: false,
      bids: 0,
      priceKronor: own,
      endsAt: later(7 * day),
      pictures: null,
      ...change,
    };
  }

  /** What the marketplace shows of an auction changes. */
  show(change: Partial<Auction>, adId: string = anAd.adId): void {
    const at = this.auctions.findIndex((one) => one.adId === adId);
    const before = this.auctions[at];
    if (before === undefined) throw new Error(`no auction ${adId}`);
    this.auctions[at] = { ...before, ...change };
  }

  /** It is over since then. */
  end(atMs: number, change: Partial<Auction> = {}, adId?: string): void {
    this.show({ isOver: true, endsAt: later(atMs), ...change }, adId);
  }

  sell(atMs: number, change: Partial<SellerTransaction> = {}): void {
    const { adId, adUrl, ownReferences } = this.auction(change.adId ?? anAd.adId);
    const sale = { transactionId: this.account, amountKronor: 500, soldAt: later(atMs), isPaid: false };
    this.sales.push({ ...sale, adId, adUrl, ownReferences, ...change });
  }

  pay(): void {
    this.sales.splice(0, this.sales.length, ...this.sales.map((sale) => ({ ...sale, isPaid: true })));
  }

  async connect(tokenEncrypted: string): Promise<void> {
    const now = later(this.nowMs);
    const given = { marketplaceUserId: '4711', tokenEncrypted, tokenExpiresAt: null };
    await connectMarketplace(this.#store, this.account, { ...given, now });
  }

  expire(): Promise<void> {
    return this.#watch.markExpired(this.account, 'first', later(this.nowMs));
  }

  async disconnect(): Promise<void> {
    await removeMarketplaceConnection(this.#store, this.account, { now: later(this.nowMs) });
  }

  /** A look at this seller, so long after noon. */
  async look(atMs: number): Promise<void> {
    this.nowMs = atMs;
    this.calls = [];
    await lookAtDueSeller(this.#dependencies());
  }

  async item(): Promise<Item> {
    const item = await this.#items.findById({ accountId: this.account, id: this.id });
    if (item === null) throw new Error('no item');
    return item;
  }

  /** The same with its events, its history and its orders. */
  async whole(): Promise<Item> {
    return withAllThatIsStored(this.#store, await this.item());
  }

  async change(by: (item: Item) => Item): Promise<Item> {
    const item = await this.item();
    const changed = await this.#items.replace(item, by(item));
    if (changed === null) throw new Error('the item was overtaken');
    return changed;
  }

  order(): Promise<OrderRow | null> {
    return findOrder(this.#store, this.account, { orderId: orderId(this.orderId) });
  }

  /** As after fifty publications that were all taken down. */
  async wearOut(state: ListingState): Promise<void> {
    const item = await this.item();
    let worn = changeNewestListing(item, { state });
    for (let publication = 2; publication < 52; publication += 1) {
      const opened = openListing({ ...worn, wantedPublication: publication, marketplaceStatus: 'ended' }, later(0));
      worn = changeNewestListing(opened, { state: 'removed', adId: `ad${publication}` });
    }
    await this.#items.replace(item, { ...worn, marketplaceStatus: 'ended' });
  }

  #dependencies(): LookDependencies {
    const token = { reveal: () => 'token' };
    const seller = { accountId: this.account, marketplaceUserId: '4711', isSandbox: false, token };
    const pace: LookPace = { fullMs: (calls) => calls * 1_000, hintMs: this.hintMs };
    return {
      watch: {
        ...this.#watch,
        // Other tests' connections stand in the same collection.
        claimLook: () => this.#watch.find(this.account),
        scheduleLook: async (account, at) => {
          this.pausedMs = at.getTime() - later(this.nowMs).getTime();
          await this.#watch.scheduleLook(account, at);
        },
      },
      feeds: {
        readRunning: () =>
          this.#called(
            'running',
            this.#listed().filter(({ isOver }) => !isOver),
          ),
        readEnded: (_seller, since) =>
          this.#called(
            'ended',
            this.#listed().filter(({ isOver, endsAt }) => isOver && (endsAt ?? since) >= since),
          ),
        readAuction: (_seller, adId) =>
          this.#called(`item ${adId}`, this.auctions.find((auction) => auction.adId === adId) ?? null),
        readTransactions: (_seller, since) =>
          this.#called(
            'sales',
            this.sales.filter(({ soldAt }) => soldAt >= since),
          ),
        readChangeMark: () => this.#called('hint', this.mark),
      },
      items: this.#items,
      orders: createOrderStore(this.#store),
      orderWork: { follow: () => Promise.resolve(this.paid), isLeft: () => Promise.resolve(false) },
      connect: () => ({ kind: 'connected', seller, markExpired: () => Promise.resolve() }),
      paceOf: () => Promise.resolve(pace),
      settleMs: 60_000,
      newRequestId: () => 'look-1',
      platformFeeBps: this.platformFeeBps,
      logger: { warn: (_bindings: object, event: string) => this.logged.push(event) } as unknown as Logger,
      now: () => later(this.nowMs),
    };
  }

  #listed(): Auction[] {
    return this.auctions.filter(({ adId }) => !this.unlisted.has(adId));
  }

  async #called<Result>(name: string, result: Result): Promise<Result> {
    this.calls.push(name);
    if (this.failing === name) throw new MarketplaceError('unavailable', 'down');
    await this.afterRead?.();
    return result;
  }
}
