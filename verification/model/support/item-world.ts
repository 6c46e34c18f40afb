import { Refusal } from '../../../features/rules/errors.ts';
import { itemId, type ItemId, type OrderId } from '../../../features/rules/ids.ts';
import { describeStatus } from '../../../features/items/rules/describe-item.ts';
import type { Item } from '../../../features/items/rules/item.ts';
import { isAtRest } from '../../../features/items/rules/owed-work.ts';
import { isInProgress } from '../../../features/orders/rules/order.ts';
import type { Scope } from '../../../features/rules/scope.ts';
import type { Seller } from '../../../gateways/marketplace/port.ts';
import type { OrderRow } from '../../../features/orders/store/orders.ts';
import { createItemWrites, type ItemWrites } from '../../../test/support/item-writes.ts';
import type { ListingDependencies } from '../../../features/listings/prepare-listing.ts';
import { connectionReasons } from '../../../features/listings/seller-access.ts';
import { anAccountId, noon } from '../../../test/support/an-item.ts';
import { anItemRequest } from '../../../test/support/an-item-request.ts';
import { FakeMarketplace, type Auction, type Fault, type Method } from './fake-marketplace.ts';
import { FakeItems, type Sabotage } from './fake-items.ts';
import { readFeeds } from './fake-feeds.ts';
import { FakeOrders } from './fake-orders.ts';
import { ItemWorkers, type Stop } from './item-workers.ts';
import type { Offer } from './model-sales.ts';
import { Mismatch, type Push, type SeenEvent, type Surroundings } from './model-terms.ts';
import { ModelItem } from './reference-model.ts';
import { requireNamed, requireNoWork, requirePending } from './require-rest.ts';
import { SalesDesk } from './sales-desk.ts';

const externalId = 'A1';

export type DirectSale = Omit<Offer, 'orderId'>;

/**
 * The use cases with a store and a marketplace in memory, beside the reference model: every write is explained by the model the
 * moment it happens. One external id, any number of items under it.
 */
export class ItemWorld {
  readonly marketplace = new FakeMarketplace();
  readonly items: FakeItems;
  readonly orders = new FakeOrders();
  readonly model: ModelItem[] = [];
  areImagesBroken = false;
  nowMs = noon.getTime();
  readonly #eventIds = new Set<string>();
  readonly #workers: ItemWorkers;
  readonly #writes: ItemWrites;
  readonly #desk: SalesDesk;
  #salesCount = 0;
  #sinceLandingMs = 0;
  #lastOffer: Offer | undefined;
  #isConnected = true;
  #failure: Error | undefined;

  constructor(sabotage: Sabotage = {}) {
    this.items = new FakeItems((previous, next) => this.#onWrite(previous, next), sabotage);
    const now = (): Date => new Date(this.nowMs);
    this.#writes = createItemWrites({
      items: this.items,
      confirmCredential: () => Promise.resolve(),
      now,
      newItemId: () => itemId(`00000000-0000-4000-8000-${String(this.items.all.length + 1).padStart(12, '0')}`),
    });
    this.#desk = new SalesDesk({ items: this.items, orders: this.orders, scope, externalId, now });
    this.#workers = new ItemWorkers({
      items: this.items,
      listings: this.#listings(now),
      areImagesBroken: () => this.areImagesBroken,
      onImages: (id, outcomes) => {
        this.#modelOf(id).pictures.note(outcomes);
      },
      onFailure: (error) => {
        this.#fail(error);
      },
    });
    this.marketplace.gate = (at) => this.#workers.gate(at);
    this.marketplace.onBroken = (error) => {
      this.#fail(error);
    };
  }

  // --- the partner -------------------------------------------------------------------------------------------------------

  async put(push: Push): Promise<void> {
    const { title, priceOre, imageUrls, autoPublish } = push;
    const domain = { slug: 'toys', attributes: {} } as const;
    const request = anItemRequest({ title, priceOre, imageUrls, domain }, { autoPublish });
    const former = this.#current();
    if (former === undefined) {
      const before = this.items.all.map(({ sequence }) => sequence);
      this.model.push(
        new ModelItem(`00000000-0000-4000-8000-${String(this.model.length + 1).padStart(12, '0')}`, push),
      );
      await this.#call('created', () => this.#writes.upsert(scope, { externalId, request }));
      const first = this.items.all.at(-1)?.sequence ?? 0;
      if (before.some((sequence) => sequence >= first)) throw new Mismatch('the new item counts below the old one');
      return;
    }
    const expected = former.put(push, this.#isUpWithBids(former));
    await this.#call(expected, () => this.#writes.upsert(scope, { externalId, request }));
  }

  async patchPrice(priceOre: number): Promise<void> {
    const item = this.#current();
    const expected = item?.patchPrice(priceOre, this.#isUpWithBids(item)) ?? this.#refusal();
    await this.#call(expected, () => this.#writes.changePrice(scope, { externalId, priceOre }));
  }

  async patchStatus(status: 'not_listed' | 'sold'): Promise<void> {
    const item = this.#current();
    const expected = item?.patchStatus(status, this.#isCommitSent(item)) ?? this.#refusal();
    await this.#call(expected, () => this.#writes.changeStatus(scope, { externalId, status }));
  }

  async delete(): Promise<void> {
    const item = this.#visible();
    const expected = item?.delete(this.#isCommitSent(item)) ?? 'NOT_FOUND';
    await this.#call(expected, () => this.#writes.remove(scope, { externalId }));
  }

  async publish(): Promise<void> {
    const item = this.#current();
    if (item === undefined) return this.#call(this.#refusal(), () => this.#writes.publish(scope, { externalId }));
    // What has a buyer is not put up again while the order is open.
    const isRefused = item.service === 'sold' || item.sales.open.length > 0;
    if (!isRefused) item.publish();
    await this.#call(isRefused ? 'CONFLICT' : 'accepted', () => this.#writes.publish(scope, { externalId }));
  }

  async sellDirectly(sale: DirectSale): Promise<void> {
    const item = this.#current();
    this.#salesCount += 1;
    const offer = { ...sale, orderId: `ord_direct-${this.#salesCount}` };
    const expected = item?.sellDirectly(offer, this.#isUpWithBids(item)) ?? [this.#refusal()];
    await this.#call(expected, async () => {
      const sold = await this.#desk.sell(offer);
      if (item?.sales.isOffered !== false) throw new Mismatch('a sale was not told');
      this.#lastOffer = offer;
      return sold;
    });
    item?.sales.withdrawOffer();
  }

  /** The last direct sale once more: its answer was lost. */
  async sellAgain(): Promise<void> {
    const offer = this.#lastOffer;
    if (offer !== undefined) await this.#call('unchanged', () => this.#desk.sell(offer));
  }

  /** A change by hand, counted from the newest order back. */
  async changeOrder(back: number, to: OrderRow['state']): Promise<void> {
    const { all } = this.orders;
    const row = all.at(-1 - (back % Math.max(1, all.length)));
    if (row !== undefined) await this.#moveOrder(row, to);
  }

  async closeOrders(): Promise<void> {
    for (const row of this.orders.all) {
      if (isInProgress(row.state)) await this.#moveOrder(row, 'cancelled');
    }
  }

  // --- the workers -------------------------------------------------------------------------------------------------------

  /** Lets an item's worker work, counted from the newest item back; up to a stop in the middle of a call, if there is one. */
  async work(back: number, stop?: Stop): Promise<void> {
    const item = this.items.all.at(-1 - (back % Math.max(1, this.items.all.length)));
    if (item !== undefined) await this.#workers.work(item.id, stop);
    this.#check();
  }

  /** What stopped in the middle goes on. */
  async goOn(): Promise<void> {
    await this.#workers.goOn();
    this.#check();
  }

  /** Processes die wherever they are. */
  crash(): void {
    this.#workers.crash();
  }

  // --- the marketplace ---------------------------------------------------------------------------------------------------

  fault(method: Method, fault: Fault): void {
    this.marketplace.faults.set(method, fault);
  }

  expireToken(): void {
    this.marketplace.isTokenValid = false;
  }

  async reconnect(): Promise<void> {
    this.marketplace.isTokenValid = true;
    this.#isConnected = true;
    await this.items.makeWaitingDue(anAccountId, { reasons: connectionReasons, now: new Date(this.nowMs) });
    this.#check();
  }

  landLate(): void {
    this.marketplace.landLate();
    this.#check();
  }

  async readFeeds(): Promise<void> {
    const { items, orders } = this;
    const onPaid = (id: ItemId, order: OrderId): void => {
      this.#modelOf(id).sales.pay(order);
    };
    await readFeeds(this.marketplace.auctions, { items, orders, onPaid, now: () => new Date(this.nowMs) });
    this.#check();
  }

  advance(ms: number): void {
    this.nowMs += ms;
    // Nothing is on its way for longer than an hour.
    this.#sinceLandingMs += ms;
    if (this.#sinceLandingMs < 3_600_000) return;
    this.#sinceLandingMs = 0;
    this.landLate();
  }

  /** Every call to the marketplace fails for so long, while the workers try again whenever their wait is over. */
  async outage(hours: number): Promise<void> {
    const endMs = this.nowMs + hours * 3_600_000;
    this.marketplace.isDown = true;
    while (this.nowMs < endMs) {
      for (const { id } of this.items.all) await this.#workers.work(id);
      const waits = this.items.all.map(({ processing }) => processing.notBefore?.getTime() ?? endMs);
      this.advance(Math.max(60_000, Math.min(...waits, endMs) - this.nowMs));
    }
    this.marketplace.isDown = false;
  }

  // --- the end -----------------------------------------------------------------------------------------------------------

  /** Nothing new happens outside: every item has to come to rest in a bounded number of rounds, and be right then. */
  async rest(): Promise<void> {
    this.marketplace.faults.clear();
    await this.goOn();
    this.landLate();
    await this.reconnect();
    for (let round = 0; round < 40; round += 1) {
      for (const { id } of this.items.all) await this.#workers.work(id);
      await this.readFeeds();
      const busy = this.items.all.filter(({ revision, settledRevision }) => revision !== settledRevision);
      if (busy.length === 0) {
        this.#requireRest();
        return;
      }
      const due = busy.map(({ processing }) => processing.notBefore?.getTime() ?? this.nowMs);
      this.nowMs = Math.max(this.nowMs + 1, Math.min(...due));
      // Bids hold an auction up to its end, and its end comes.
      if (round === 5) this.marketplace.end();
    }
    const busy = this.items.all.filter(({ revision, settledRevision }) => revision !== settledRevision);
    throw new Mismatch(`no rest: ${busy.map(({ processing }) => JSON.stringify(processing)).join(', ')}`);
  }

  #requireRest(): void {
    for (const item of this.items.all) {
      requireNoWork(item, this.nowMs);
      this.#modelOf(item.id).requireAtRest(this.#around());
      requirePending(
        item,
        this.marketplace.auctions.filter(({ state }) => state === 'active'),
      );
    }
    this.#check();
  }

  // --- inside ------------------------------------------------------------------------------------------------------------

  async #moveOrder(row: OrderRow, to: OrderRow['state']): Promise<void> {
    const expected = this.#modelOf(row.itemId).sales.move(row._id, row.state, to);
    await this.#call(expected, () => this.#desk.changeOrder(row._id, to));
  }

  async #call(expected: string | readonly string[], call: () => Promise<{ outcome: string }>): Promise<void> {
    const got = await call().then(
      ({ outcome }) => outcome,
      (error: unknown) => {
        if (error instanceof Refusal) return error.code;
        throw error;
      },
    );
    const right = [expected].flat();
    const isRight = right.includes(got) || (right.includes('accepted') && ['updated', 'unchanged'].includes(got));
    if (!isRight) throw new Mismatch(`answered ${got}, expected ${String(expected)}`);
    this.#check();
  }

  #onWrite(previous: Item | null, next: Item): void {
    try {
      const model = this.#modelOf(next.id);
      const events: readonly SeenEvent[] = next.outbox;
      this.orders.insertSales(next, new Date(this.nowMs));
      for (const { eventId } of events) {
        if (this.#eventIds.has(eventId)) throw new Mismatch(`told twice: ${eventId}`);
        this.#eventIds.add(eventId);
      }
      if (previous !== null && next.sequence < previous.sequence) throw new Mismatch('the sequence went back');
      requireNamed(model.sales.open, events, next);
      model.explain(describeStatus(next), events, this.#around());
    } catch (error) {
      this.#fail(error);
      throw error;
    }
  }

  #fail(error: unknown): void {
    this.#failure ??= error instanceof Error ? error : new Error(String(error));
  }

  #listings(now: () => Date): ListingDependencies {
    const markExpired = (): Promise<void> => {
      this.#isConnected = false;
      return Promise.resolve();
    };
    const connected = { kind: 'connected', seller: {} as Seller, markExpired } as const;
    return {
      items: this.items,
      imageStore: { read: () => Promise.resolve(Buffer.from('jpeg')) } as unknown as ListingDependencies['imageStore'],
      marketplace: this.marketplace,
      ensureCalls: this.marketplace.ensureCalls,
      logger: { warn: () => undefined } as unknown as ListingDependencies['logger'],
      drafts: { last: null },
      sellers: {
        find: () => Promise.resolve(this.#isConnected ? connected : { kind: 'expired' }),
        watch: () => Promise.resolve(true),
      },
      fallbackCategoryId: 1,
      defaultsOf: () => Promise.resolve({}),
      pause: () => Promise.resolve(),
      now,
    };
  }

  /** What GET shows, and everything that went wrong meanwhile. */
  #check(): void {
    if (this.#failure !== undefined) throw this.#failure;
    for (const item of this.items.all) {
      if (!isAtRest(item) && item.startAt === null) throw new Mismatch(`${item.id} owes work without a date`);
      const model = this.#modelOf(item.id);
      model.requireSame(describeStatus(item));
      model.sales.requireSame(
        item,
        this.orders.all.filter(({ itemId: id }) => id === item.id),
      );
    }
    const shown = this.items.visible(externalId)?.id;
    const expected = this.#visible()?.id;
    if (shown !== expected) throw new Mismatch(`GET shows ${shown ?? 'nothing'}, expected ${expected ?? 'nothing'}`);
  }

  #around(): Surroundings {
    const { auctions, met } = this.marketplace;
    return { nowMs: this.nowMs, auctions, wasMet: (kind) => met.some(({ fault }) => fault === kind) };
  }

  #modelOf(id: string): ModelItem {
    const found = this.model.find((item) => item.id === id);
    if (found === undefined) throw new Mismatch(`an item ${id} that nobody pushed`);
    return found;
  }

  #current(): ModelItem | undefined {
    return this.model.find(({ visibility }) => visibility === 'current');
  }

  #visible(): ModelItem | undefined {
    return this.#current() ?? this.model.findLast(({ visibility }) => visibility === 'archived');
  }

  /** What a call gets that needs a current item. */
  #refusal(): 'NOT_FOUND' | 'CONFLICT' {
    return this.#visible() === undefined ? 'NOT_FOUND' : 'CONFLICT';
  }

  #auctionOf(item: ModelItem): Auction | undefined {
    return this.marketplace.newestOf(item.id, item.publication);
  }

  #isUpWithBids(item: ModelItem): boolean {
    return (this.#auctionOf(item)?.bids ?? 0) > 0;
  }

  #isCommitSent(item: ModelItem): boolean {
    return this.#auctionOf(item)?.wasCommitSent ?? false;
  }
}

const scope: Scope = {
  accountId: anAccountId,
  actingAccountId: anAccountId,
  credential: { kind: 'api-key', keyId: 'key-1' },
};
