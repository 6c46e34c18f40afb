import type { AccountId, ItemId, OrderId } from '../../../features/rules/ids.ts';
import type { Item } from '../../../features/items/rules/item.ts';
import { moveOrder } from '../../../features/orders/rules/order.ts';
import { orderOf } from '../../../features/orders/store/sales.ts';
import type { OrderRow, OrderStore } from '../../../features/orders/store/orders.ts';

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

  /** The orders of the sales that a write of the item brings. */
  insertSales(item: Item, now: Date): void {
    const terms = { dealId: null, commission: null };
    for (const sale of item.pendingOrders) this.replace(orderOf(item, { sale, terms, now }));
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
}
