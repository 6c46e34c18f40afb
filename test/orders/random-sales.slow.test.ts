import test from 'ava';
import fc from 'fast-check';
import { itemId, orderId, type OrderId } from '../../features/rules/ids.ts';
import { itemWithStatus } from '../../features/items/rules/change-status.ts';
import { deletedItem } from '../../features/items/rules/delete-item.ts';
import { sellDirectly, whyNotForSale } from '../../features/items/rules/direct-sale.ts';
import { isUp, type Item } from '../../features/items/rules/item.ts';
import { isPublishable, publishItem } from '../../features/items/rules/publish-item.ts';
import { requireLegalTransition } from '../../features/items/rules/transitions.ts';
import { createItem, updateItem } from '../../features/items/rules/upsert-item.ts';
import { recordHammerSale, recordPaid } from '../../features/listings/rules/auction-end.ts';
import { openListing, recordDraft, recordLive } from '../../features/listings/rules/publication.ts';
import { recordTakeDownRefused, recordTakenDown } from '../../features/listings/rules/delist.ts';
import { followOrder } from '../../features/orders/rules/follow-order.ts';
import { isInProgress, moveOrder, orderStates, type OrderProgress } from '../../features/orders/rules/order.ts';
import { aCall, anAccountId, later } from '../support/an-item.ts';
import { anItemRequest } from '../support/an-item-request.ts';
import { checkProperty } from '../support/check-property.ts';

// Sales, payments, PATCH of orders, and the item's own writes in any order, over the pure functions.

const kinds = [
  'sell',
  'hammer',
  'pay',
  'patch',
  'delete',
  'put',
  'status',
  'publish',
  'up',
  'down',
  'bids',
  'store',
] as const;
const aStep = fc.record({ do: fc.constantFrom(...kinds), n: fc.nat(7) });
type Step = typeof aStep extends fc.Arbitrary<infer Value> ? Value : never;

interface Order extends OrderProgress {
  readonly itemId: string;
  readonly isDirect: boolean;
}

/** One external id, the items that had it, and their orders as the service keeps both. */
class Shop {
  readonly items: Item[] = [];
  readonly orders = new Map<OrderId, Order>();
  readonly #sold: string[] = [];
  #tick = 0;

  step({ do: kind, n }: Step): void {
    this.#tick += 1;
    this[kind](n);
    for (const item of this.items) this.#check(item);
  }

  put(n: number): void {
    const request = anItemRequest({ title: `Title ${n % 3}` }, { autoPublish: n % 2 === 0 });
    const current = this.items.find((item) => item.current);
    if (current !== undefined) return this.#write(current, updateItem(current, request, this.#call()));
    const id = itemId(`00000000-0000-4000-8000-${String(this.items.length + 1).padStart(12, '0')}`);
    const { now, actor } = this.#call();
    const item = createItem({
      id,
      accountId: anAccountId,
      externalId: 'A1',
      request,
      sequenceBefore: this.items.at(-1)?.sequence ?? 0,
      actor,
      now,
    });
    this.items.push(item);
  }

  sell(n: number): void {
    const item = this.items.find(({ current }) => current);
    if (item === undefined || whyNotForSale(item) !== null) return;
    const id = orderId(`ord_d${this.#tick}`);
    const sale = { orderId: id, platform: 'service', amountOre: 100 + n, feeBps: 500, isPaid: n % 2 === 0 } as const;
    this.#write(item, sellDirectly(item, sale, this.#call()));
  }

  hammer(n: number): void {
    const item = this.#any(n);
    const listing = item?.listings.find(isUp) ?? item?.listings.at(-1);
    if (item === undefined || listing?.adId === null || listing?.adId === undefined) return;
    const { adId } = listing;
    // Now and then the same transaction is seen again.
    const won = orderId(`ord_t${n % 2 === 0 ? adId : this.#tick}`);
    const sale = {
      adId,
      adUrl: 'https://x',
      orderId: won,
      amountOre: 500,
      feeBps: 500,
      soldAt: later(0),
      isPaid: n > 5,
    };
    if (listing.state === 'live' || listing.state === 'leaving' || listing.state === 'sold')
      this.#write(item, recordHammerSale(item, sale, later(this.#tick)));
  }

  /** The feed: the item first, then the order. */
  pay(n: number): void {
    const item = this.#any(n);
    const id = item?.unpaidOrderIds[n % Math.max(1, item.unpaidOrderIds.length)];
    if (item === undefined || id === undefined) return;
    this.#write(item, recordPaid(item, { orderId: id, adId: '1' }, later(this.#tick)));
    const order = this.orders.get(id);
    if (order?.state === 'pending') this.#move(id, order, 'paid');
  }

  patch(n: number): void {
    const id = [...this.orders.keys()].at(-1 - (n % 3));
    const order = id === undefined ? undefined : this.orders.get(id);
    const state = orderStates[n % 4];
    if (id === undefined || order === undefined || state === undefined) return;
    if (state === order.state || !this.#move(id, order, state) || state === 'pending') return;
    const item = this.items.find((of) => of.id === order.itemId);
    if (item === undefined) throw new Error('an order in progress without its item');
    this.#write(item, followOrder(item, { orderId: id, state, platform: 'service', adId: null }, this.#call()));
  }

  delete(): void {
    const archived = this.items.findLast(({ current, removedAt }) => !current && removedAt === null);
    const item = this.items.find(({ current }) => current) ?? archived;
    if (item === undefined) return;
    const isOpen = item.openOrderIds.length > 0;
    const deleted = deletedItem(item, this.#call());
    this.#write(item, deleted);
    if (isOpen !== (deleted.serviceStatus === 'archived' && deleted.removedAt === null))
      throw new Error(`deleted with ${item.openOrderIds.length} open orders: ${deleted.serviceStatus}`);
  }

  status(n: number): void {
    const item = this.items.find(({ current }) => current);
    if (item !== undefined) this.#write(item, itemWithStatus(item, n % 2 === 0 ? 'sold' : 'not_listed', this.#call()));
  }

  publish(): void {
    const item = this.items.find(({ current }) => current);
    if (item !== undefined && isPublishable(item)) this.#write(item, publishItem(item, this.#call()));
  }

  up(): void {
    const item = this.items.find(({ current }) => current);
    if (item === undefined || item.serviceStatus !== 'active') return;
    if (item.wantedPublication <= (item.listings.at(-1)?.publication ?? 0) || item.listings.some(isUp)) return;
    const now = later(this.#tick);
    const adId = `${item.id}-${this.#tick}`;
    const draft = recordDraft(openListing(item, now), { requestId: 'r', adId });
    this.#write(item, draft);
    this.#write(draft, recordLive(draft, { adId, adUrl: 'https://x' }, now));
  }

  down(n: number): void {
    const item = this.#any(n);
    const listing = item?.listings.at(-1);
    if (item !== undefined && listing?.state === 'leaving')
      this.#write(item, recordTakenDown(item, listing.publication, later(this.#tick)));
  }

  bids(n: number): void {
    const item = this.#any(n);
    const listing = item?.listings.at(-1);
    if (item !== undefined && listing?.state === 'leaving')
      this.#write(item, recordTakeDownRefused(item, listing.publication, later(this.#tick)));
  }

  /** The workflow: orders are inserted once, events are told. */
  store(n: number): void {
    const item = this.#any(n);
    if (item === undefined) return;
    this.#insert(item);
    this.#sold.push(...item.outbox.filter(({ type }) => type === 'item.sold').map(({ eventId }) => eventId));
    this.#write(item, { ...item, outbox: [], journal: [], pendingOrders: [] });
  }

  /** Everything was stored: each order was told once, and every telling has its order. */
  finish(): void {
    for (const n of this.items.keys()) this.store(n);
    const told = new Set(this.#sold);
    if (told.size !== this.#sold.length || told.size !== this.orders.size)
      throw new Error(`${this.orders.size} orders, ${this.#sold.length} times item.sold`);
  }

  #insert(item: Item): void {
    for (const pending of item.pendingOrders) {
      const known = this.orders.get(pending.orderId);
      const times = { paidAt: null, completedAt: null, cancelledAt: null, updatedAt: later(0), revision: 1 };
      const isDirect = pending.platform !== 'marketplace';
      const state = pending.isPaid ? 'paid' : 'pending';
      if (known === undefined) this.orders.set(pending.orderId, { ...times, state, itemId: item.id, isDirect });
      else if (pending.isPaid && known.state === 'pending') this.#move(pending.orderId, known, 'paid');
    }
  }

  #move(id: OrderId, order: Order, state: Order['state']): boolean {
    const moved = moveOrder(order, state, later(this.#tick));
    if (moved !== null) this.orders.set(id, moved);
    return moved !== null;
  }

  #any = (n: number): Item | undefined => this.items.at(-1 - (n % Math.max(1, this.items.length)));
  #call = () => aCall(this.#tick);

  #write(before: Item, after: Item): void {
    if (after === before) return;
    requireLegalTransition(before, after);
    this.items[this.items.indexOf(before)] = after;
    // The use case inserts the order of a direct sale right away; a workflow that comes again finds it there.
    if (after.pendingOrders.length > before.pendingOrders.length && this.#tick % 2 === 0) this.#insert(after);
  }

  #check(item: Item): void {
    const own = [...this.orders].filter(([, order]) => order.itemId === item.id);
    const known = new Map(own);
    const carried = item.pendingOrders.filter(({ orderId: id }) => !known.has(id)).map(({ orderId: id }) => id);
    const open = [...own.filter(([, { state }]) => isInProgress(state)).map(([id]) => id), ...carried].toSorted();
    if (JSON.stringify(item.openOrderIds.toSorted()) !== JSON.stringify(open))
      throw new Error(`open are ${open.join()}, the item knows ${item.openOrderIds.join()}`);
    const direct = open.filter((id) => id.startsWith('ord_d'));
    if (direct.length > 1) throw new Error(`sold directly twice at once: ${direct.join()}`);
    if (open.length > 0 && item.removedAt !== null) throw new Error('removed with an order in progress');
    if (item.unpaidOrderIds.some((id) => !item.openOrderIds.includes(id)))
      throw new Error('a payment is looked for that nobody waits for');
    if (new Set(item.outbox.map(({ eventId }) => eventId)).size !== item.outbox.length)
      throw new Error('the same event twice');
  }
}

// specification: order-log-and-item
test('whatever is sold, paid, cancelled, deleted and pushed in whatever order, items and orders agree', async (t) => {
  const seen = { direct: 0, twice: 0, archived: 0 };
  await checkProperty(
    t,
    fc.property(fc.array(aStep, { minLength: 5, maxLength: 60, size: 'max' }), (steps) => {
      const shop = new Shop();
      shop.put(0);
      for (const step of steps) {
        shop.step(step);
        seen.twice += shop.items.some(({ openOrderIds }) => openOrderIds.length > 1) ? 1 : 0;
      }
      shop.finish();
      seen.direct += [...shop.orders.values()].filter(({ isDirect }) => isDirect).length;
      seen.archived += shop.items.filter(({ serviceStatus }) => serviceStatus === 'archived').length;
    }),
    { numRuns: 2_000 },
  );
  // What is never met is not tested.
  t.true(seen.direct > 100 && seen.twice > 100 && seen.archived > 100, JSON.stringify(seen));
});
