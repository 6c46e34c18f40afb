import type { Item } from '../../../features/items/rules/item.ts';
import type { OrderRow } from '../../../features/orders/store/orders.ts';
import type { Auction } from './fake-marketplace.ts';
import { demand, type SeenEvent } from './model-terms.ts';

type OrderState = OrderRow['state'];

interface ModelOrder {
  state: OrderState;
  readonly platform: OrderRow['platform'];
  readonly amountOre: number;
  /** The auction that was won; null for a direct sale. */
  readonly adId: string | null;
}

/** A sale that the partner made itself, as it is about to be reported. */
export interface Offer {
  readonly orderId: string;
  readonly platform: Exclude<OrderRow['platform'], 'marketplace'>;
  readonly amountOre: number;
  readonly isPaid: boolean;
}

/** What an order may become, by what it is shown as. */
const steps: Readonly<Record<OrderState, readonly OrderState[]>> = {
  pending: ['paid', 'cancelled'],
  paid: ['completed', 'cancelled'],
  completed: [],
  cancelled: [],
};

/** The sales of an item as its partner knows them. */
export class ModelSales {
  readonly #orders = new Map<string, ModelOrder>();
  #offer: Offer | undefined;

  /** Orders in progress. */
  get open(): readonly string[] {
    return this.#idsOf(({ state }) => state === 'pending' || state === 'paid');
  }

  get isOffered(): boolean {
    return this.#offer !== undefined;
  }

  /** The answers that are right. Bids that the partner was not told of may be known to the service or not. */
  offer(offer: Offer, { isSold, bids }: { isSold: boolean; bids: 'none' | 'told' | 'untold' }): readonly string[] {
    if (this.open.length > 0 || isSold || bids === 'told') return ['CONFLICT'];
    this.#offer = offer;
    return bids === 'untold' ? ['accepted', 'CONFLICT'] : ['accepted'];
  }

  withdrawOffer(): void {
    this.#offer = undefined;
  }

  /** item.sold of the very sale that is being reported; says what its order is called. */
  takeDirect({ eventId, data }: SeenEvent): string {
    const offer = this.#offer;
    demand(offer !== undefined && eventId.endsWith(offer.orderId), 'told a sale that nobody made');
    const { orderId, platform, amountOre, isPaid } = offer;
    demand(data['platform'] === platform && data['salePrice'] === amountOre / 100, 'told another sale');
    demand(this.open.length === 0, 'sold directly while an order is in progress');
    this.#orders.set(orderId, { state: isPaid ? 'paid' : 'pending', platform, amountOre, adId: null });
    this.#offer = undefined;
    return orderId;
  }

  /** item.sold of a won auction. */
  takeWon({ data }: SeenEvent, { adId, transactionId, priceKronor, bids, isPaid }: Auction): void {
    const amountKronor = priceKronor + bids;
    demand(data['salePrice'] === amountKronor, 'told another price');
    const order = { platform: 'marketplace', amountOre: amountKronor * 100, adId } as const;
    this.#orders.set(`ord_${transactionId}`, { ...order, state: isPaid ? 'paid' : 'pending' });
  }

  /** The marketplace reports the payment; it moves nothing but what waits for it. */
  pay(id: string): void {
    const order = this.#orders.get(id);
    if (order?.state === 'pending') order.state = 'paid';
  }

  /** A change by hand of an order that is shown as `from`. */
  move(id: string, from: OrderState, to: OrderState): 'updated' | 'unchanged' | 'CONFLICT' {
    const order = this.#orders.get(id);
    demand(order !== undefined, `an order ${id} that nobody made`);
    if (from === to) return 'unchanged';
    if (!steps[from].includes(to)) return 'CONFLICT';
    order.state = to;
    return 'updated';
  }

  /** Item and orders say the same. Throws Mismatch. */
  requireSame({ openOrderIds, unpaidOrderIds }: Item, rows: readonly OrderRow[]): void {
    demand(isSameSet(openOrderIds, this.open), `in progress ${String(openOrderIds)}, expected ${String(this.open)}`);
    const unpaid = this.#idsOf(({ state, adId }) => state === 'pending' && adId !== null);
    demand(isSameSet(unpaidOrderIds, unpaid), `unpaid ${String(unpaidOrderIds)}, expected ${String(unpaid)}`);
    for (const { _id: id } of rows) demand(this.#orders.has(id), `an order ${id} without a sale`);
    for (const [id, order] of this.#orders) {
      const row = rows.find(({ _id }) => _id === id);
      demand(row !== undefined, `the order ${id} is nowhere`);
      requireSameOrder(row, order);
    }
  }

  #idsOf(wanted: (order: ModelOrder) => boolean): readonly string[] {
    return [...this.#orders].filter(([, order]) => wanted(order)).map(([id]) => id);
  }
}

function requireSameOrder(row: OrderRow, order: ModelOrder): void {
  const isSame = row.platform === order.platform && row.amountOre === order.amountOre && row.adId === order.adId;
  demand(isSame, `the order ${row._id} is of another sale`);
  demand(row.state === order.state, `the order ${row._id} is ${row.state}, expected ${order.state}`);
}

const isSameSet = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && others.every((id) => some.includes(id));
