import type { AccountId, ItemId, OrderId } from '../../../core/ids.ts';
import { moveOrder } from '../../../core/orders/order.ts';
import type { SaleTerms } from '../../../store/resellers/deals.ts';
import type { OrderRow, OrderStore } from '../../../store/orders/orders.ts';

/** The orders in memory, under their own ids as the real ones. */
export class FakeOrders implements OrderStore {
  readonly #rows = new Map<OrderId, OrderRow>();

  /** In the order in which they were inserted. */
  get all(): readonly OrderRow[] {
    return [...this.#rows.values()];
  }

  get(id: OrderId): OrderRow | null {
    return this.#rows.get(id) ?? null;
  }

  /** The next state of an order that is there. */
  replace(row: OrderRow): void {
    this.#rows.set(row._id, row);
  }

  insertOnce(order: OrderRow): Promise<void> {
    if (!this.#rows.has(order._id)) this.replace(order);
    return Promise.resolve();
  }

  markPaid(_account: AccountId, id: OrderId, now: Date): Promise<void> {
    const before = this.get(id);
    const after = before?.state === 'pending' ? moveOrder(before, 'paid', now) : null;
    if (after !== null) this.replace(after);
    return Promise.resolve();
  }

  findPayments(): Promise<ReadonlyMap<OrderId, boolean>> {
    return Promise.resolve(new Map([...this.#rows.values()].map(({ _id, state }) => [_id, state !== 'pending'])));
  }

  findItemId(_account: AccountId, id: OrderId): Promise<ItemId | null> {
    return Promise.resolve(this.get(id)?.itemId ?? null);
  }

  findTerms(): Promise<SaleTerms> {
    return Promise.resolve({ dealId: null, commission: null });
  }
}
