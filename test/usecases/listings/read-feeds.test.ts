import { randomUUID } from 'node:crypto';
import test from 'ava';
import { accountId, itemId, orderId, type AccountId } from '../../../core/ids.ts';
import { newestListing, type Item, type Listing, type ListingState } from '../../../core/items/item.ts';
import { changeNewestListing, openListing } from '../../../core/listings/publication.ts';
import { beginChange } from '../../../core/listings/revision.ts';
import { wholeKronorFromOre } from '../../../core/money.ts';
import type { SellerItemUpdate, SellerTransaction } from '../../../gateways/marketplace/port.ts';
import { dueQueue, type DueQueue } from '../../../store/dispatch/due-rows.ts';
import { createItemStore } from '../../../store/items/items.ts';
import { connectMarketplace, removeMarketplaceConnection } from '../../../store/marketplace/marketplace-connections.ts';
import { createMarketplaceWatch } from '../../../store/marketplace/marketplace-watch.ts';
import { createOrderStore, findOrder, type OrderRow } from '../../../store/orders/orders.ts';
import { readDueFeed, type FeedDependencies } from '../../../usecases/listings/read-feeds.ts';
import { aLiveItem, anAd, later } from '../../support/an-item.ts';
import { withDatabase } from './support/with-database.ts';

// The feeds are in memory, items and connections in MongoDB.

const hour = 3_600_000;
const day = 24 * hour;

const store = withDatabase(test);

test('bids and end that a look brings are stored without a call more, and ring no doorbell', async (t) => {
  const market = await new Market().begin();
  market.update(anAd.adId, 'active', 1_000);
  await market.look(2_000);
  const item = await market.item();
  t.deepEqual(item.listings[0]?.seen, {
    ...{ bids: 1, priceKronor: 500 },
    ...{ endsAt: later(7 * day), at: later(2_000) },
  });
  t.is(market.pagesRead, 2);
  await market.look(3_000);
  t.is((await market.item()).version, item.version);
  t.deepEqual(market.rung, []);
});

test("a price that its seller set at the marketplace is the item's with the next look, and wakes the worker to tell it", async (t) => {
  const market = await new Market().begin();
  const own = wholeKronorFromOre((await market.item()).content.priceOre);
  market.price(own, 1_000);
  await market.look(2_000);
  market.price(own + 50, 3_000);
  await market.look(4_000);
  const item = await market.item();
  t.is(item.content.priceOre / 100, own + 50);
  t.like(item.outbox.at(-1), { type: 'item.changed' });
  t.deepEqual(market.rung, [dueQueue('items', 'worker', market.account)]);
  await market.look(5_000);
  t.is((await market.item()).version, item.version);
});

test('a price that may be replaced by our own change is looked at again once that is answered', async (t) => {
  const market = await new Market().begin();
  const own = wholeKronorFromOre((await market.item()).content.priceOre);
  market.price(own, 1_000);
  await market.look(2_000);
  const asked = await market.change((item) => beginChange(item, newest(item)).item);
  market.price(own + 50, 3_000);
  // A minute later, so that only a cursor that waited finds the row again.
  market.price(own, 70_000, 'another');
  await market.look(71_000);
  t.is((await market.item()).content.priceOre, asked.content.priceOre);
  await market.change((item) => changeNewestListing(item, { change: null, contentNumber: item.contentNumber }));
  await market.look(72_000);
  t.is((await market.item()).content.priceOre / 100, own + 50);
});

test("a seller's price that a change of ours overtakes while the look goes on is looked at again, too", async (t) => {
  const market = await new Market().begin();
  const own = wholeKronorFromOre((await market.item()).content.priceOre);
  market.price(own, 1_000);
  await market.look(2_000);
  market.price(own + 50, 3_000);
  market.price(own, 70_000, 'another');
  market.afterRead = () => market.change((item) => beginChange(item, newest(item)).item);
  await market.look(71_000);
  market.afterRead = undefined;
  t.is((await market.item()).content.priceOre / 100, own);
  await market.change((item) => changeNewestListing(item, { change: null, contentNumber: item.contentNumber }));
  await market.look(72_000);
  t.is((await market.item()).content.priceOre / 100, own + 50);
});

test('the payment of an auction that the item has forgotten is taken by its order', async (t) => {
  const market = await new Market().begin();
  const transactionId = randomUUID();
  market.sell(anAd.adId, 1_000, transactionId);
  await market.look(2_000);
  await market.change((item) => ({ ...item, listings: [] }));
  market.pay(anAd.adId, 3_000);
  await market.look(4_000);
  const item = await market.item();
  t.deepEqual(item.unpaidOrderIds, []);
  t.like(item.outbox.at(-1), {
    type: 'order.paid',
    data: { orderId: `ord_${transactionId}`, marketplaceAdId: anAd.adId },
  });
  t.like(await market.order(`ord_${transactionId}`), { state: 'paid' });
});

function newest(item: Item): Listing {
  const listing = newestListing(item);
  if (listing === undefined) throw new Error('no listing');
  return listing;
}

/** An account, connected at noon, with one auction up; and what the marketplace says of it. */
class Market {
  readonly account: AccountId = accountId(randomUUID());
  readonly sales: SellerTransaction[] = [];
  readonly updates: SellerItemUpdate[] = [];
  readonly rung: DueQueue[] = [];
  feedRowsMax = 500;
  pagesRead = 0;
  platformFeeBps = 500;
  /** Happens after a look has read the items, and before it writes to them. */
  afterRead: (() => Promise<unknown>) | undefined;
  nowMs = 0;
  readonly #id = itemId(randomUUID());
  readonly #items = createItemStore(store());
  readonly #watch = createMarketplaceWatch(store());

  async begin(): Promise<this> {
    await this.connect('first');
    await this.#items.insert(aLiveItem({ id: this.#id, accountId: this.account }));
    return this;
  }

  async connect(tokenEncrypted: string): Promise<void> {
    const now = later(this.nowMs);
    await connectMarketplace(store(), this.account, { marketplaceUserId: '4711', tokenEncrypted, now });
  }

  expire(): Promise<void> {
    return this.#watch.markExpired(this.account, 'first', later(this.nowMs));
  }

  async disconnect(): Promise<void> {
    await removeMarketplaceConnection(store(), this.account, { now: later(this.nowMs) });
  }

  /** A look at this account's feeds, so long after noon. */
  async look(atMs: number): Promise<void> {
    this.nowMs = atMs;
    // Other tests' connections stand in the same collection.
    const claimLook: FeedDependencies['watch']['claimLook'] = () => this.#watch.find(this.account);
    const page = <Row extends { readonly updatedAt: Date }>(rows: readonly Row[], since: Date): Promise<Row[]> => {
      this.pagesRead += 1;
      const found = rows.filter(({ updatedAt }) => updatedAt >= since);
      return Promise.resolve(found.toSorted((a, b) => +a.updatedAt - +b.updatedAt).slice(0, this.feedRowsMax));
    };
    const seller = {
      accountId: this.account,
      marketplaceUserId: '4711',
      isSandbox: false,
      token: { reveal: () => 'token' },
    };
    await readDueFeed({
      watch: { ...this.#watch, claimLook },
      feeds: {
        feedRowsMax: this.feedRowsMax,
        readTransactions: (_seller, since) => page(this.sales, since),
        readUpdatedItems: (_seller, since) => page(this.updates, since),
      },
      items: {
        ...this.#items,
        findByAdIds: async (...asked) => {
          const found = await this.#items.findByAdIds(...asked);
          await this.afterRead?.();
          return found;
        },
      },
      orders: createOrderStore(store()),
      orderWork: { follow: () => Promise.resolve(), isLeft: () => Promise.resolve(false) },
      connect: () => ({ kind: 'connected', seller, markExpired: () => Promise.resolve() }),
      ring: (line) => void this.rung.push(line),
      lookIntervalMs: () => Promise.resolve(1_000),
      newRequestId: () => 'look-1',
      platformFeeBps: this.platformFeeBps,
      now: () => later(this.nowMs),
    });
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

  async item(): Promise<Item> {
    const item = await this.#items.findById(this.#id);
    if (item === null) throw new Error('no item');
    return item;
  }

  async change(by: (item: Item) => Item): Promise<Item> {
    const item = await this.item();
    const changed = await this.#items.replace(item, by(item));
    if (changed === null) throw new Error('the item was overtaken');
    return changed;
  }

  order(id: string): Promise<OrderRow | null> {
    return findOrder(store(), this.account, { orderId: orderId(id) });
  }

  pay(adId: string, atMs: number): void {
    const [sale] = this.sales.filter((one) => one.adId === adId);
    if (sale !== undefined) this.sales.push({ ...sale, paid: true, updatedAt: later(atMs) });
  }

  /** The start price, without bids. */
  price(priceKronor: number, atMs: number, adId: string = anAd.adId): void {
    this.show(adId, atMs, { bids: 0, priceKronor });
  }

  sell(adId: string, atMs: number, transactionId = `t${adId}`): void {
    const at = later(atMs);
    const of = { adId, adUrl: `https://marketplace.example/item/${adId}` };
    this.sales.push({ ...of, transactionId, amountKronor: 500, soldAt: at, updatedAt: at, paid: false });
  }

  /** As at the marketplace, an auction has one row: its newest. */
  update(adId: string, state: SellerItemUpdate['state'], atMs: number): void {
    this.show(adId, atMs, { state });
  }

  show(adId: string, atMs: number, shown: Partial<SellerItemUpdate>): void {
    const at = this.updates.findIndex((one) => one.adId === adId);
    if (at >= 0) this.updates.splice(at, 1);
    this.updates.push({
      adId,
      adUrl: `https://marketplace.example/item/${adId}`,
      state: 'active',
      bids: 1,
      priceKronor: 500,
      endsAt: later(7 * 86_400_000),
      updatedAt: later(atMs),
      ...shown,
    });
  }
}

const aMarket = (): Promise<Market> => new Market().begin();

test('an auction that ended is sold late, however often the item was put up and taken down since', async (t) => {
  const market = await aMarket();
  await market.wearOut('ended');
  t.is((await market.item()).listings.length, 22);
  market.sell(anAd.adId, day);
  await market.look(day);
  t.like(await market.item(), { serviceStatus: 'sold', openOrderIds: ['ord_t9001'] });
});

test('of an auction that was taken down fifty publications ago nothing is expected any more', async (t) => {
  const market = await aMarket();
  await market.wearOut('removed');
  market.update(anAd.adId, 'removed', day);
  await market.look(day);
  t.is((await market.item()).listings.length, 21);
  t.deepEqual(market.rung, []);
});

for (const [name, leave] of [
  ['its token was expired', (market: Market) => market.expire()],
  ['it was disconnected', (market: Market) => market.disconnect()],
] as const) {
  test(`a sale made while ${name} for days, before any row was read, is learnt after the reconnection`, async (t) => {
    const market = await aMarket();
    await leave(market);
    market.sell(anAd.adId, 6 * day);
    market.update(anAd.adId, 'sold', 6 * day);
    market.nowMs = 9 * day;
    await market.connect('second');
    await market.look(9 * day);
    const item = await market.item();
    t.like(item, { serviceStatus: 'sold', marketplaceStatus: 'sold', openOrderIds: ['ord_t9001'] });
    t.deepEqual(market.rung, [dueQueue('items', 'worker', market.account)]);
  });
}

test('an end without a winner while the token was expired is learnt after the reconnection', async (t) => {
  const market = await aMarket();
  await market.expire();
  market.update(anAd.adId, 'ended', 6 * day);
  market.nowMs = 9 * day;
  await market.connect('second');
  await market.look(9 * day);
  t.is((await market.item()).marketplaceStatus, 'ended');
});

test('an auction that the feed calls sold is waited for until its sale can be read, however late that comes into its feed', async (t) => {
  const market = await aMarket();
  market.update(anAd.adId, 'sold', hour);
  market.update('7', 'ended', 2 * hour);
  market.sell('7', 2 * hour);
  await market.look(3 * hour);
  await market.look(4 * hour);
  t.is((await market.item()).marketplaceStatus, 'active');
  // Dated long before the newest sale that was read.
  market.sell(anAd.adId, hour);
  await market.look(5 * hour);
  t.like(await market.item(), { serviceStatus: 'sold', marketplaceStatus: 'sold' });
});

test('an auction that is called sold holds its feed back until its sale was read, for three days at most', async (t) => {
  const reached = async ({ account }: Market): Promise<Date | undefined> =>
    (await createMarketplaceWatch(store()).find(account))?.updatesCursor;
  for (const isSaleRead of [true, false]) {
    const market = await aMarket();
    market.update(anAd.adId, 'sold', hour);
    market.update('7', 'ended', 2 * hour);
    await market.look(3 * hour);
    t.deepEqual(await reached(market), later(hour));
    if (isSaleRead) market.sell(anAd.adId, hour);
    await market.look(isSaleRead ? 4 * hour : 3 * day + 2 * hour);
    t.deepEqual(await reached(market), later(2 * hour));
  }
});

test('a sale keeps the fee in force when it was learnt', async (t) => {
  const market = await aMarket();
  market.platformFeeBps = 700;
  market.sell(anAd.adId, hour);
  await market.look(2 * hour);
  t.like((await market.item()).pendingOrders, [{ feeBps: 700 }]);
});

test('a full page of one instant is passed: what comes after it is learnt', async (t) => {
  const market = await aMarket();
  market.feedRowsMax = 5;
  for (let n = 0; n < 8; n += 1) market.update(`other-${n}`, 'ended', hour);
  market.update(anAd.adId, 'ended', 2 * hour);
  await market.look(3 * hour);
  t.is((await market.item()).marketplaceStatus, 'ended');
  t.true(market.pagesRead < 10, `${market.pagesRead} pages`);
});
