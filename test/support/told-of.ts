import type { Item } from '../../features/items/rules/item.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';

/** The item as read, with the events, the history and the orders that are stored of it. */
export async function withAllThatIsStored(store: StoreConnection, item: Item): Promise<Item> {
  const rowsOf = (name: string, order: string): Promise<unknown> =>
    store.connection
      .collection(name)
      .find({ accountId: item.accountId, itemId: item.id })
      .sort({ [order]: 1 })
      .toArray();
  const [outbox, journal, pendingOrders] = await Promise.all([
    rowsOf('events', 'sequence'),
    rowsOf('journal', 'number'),
    rowsOf('orders', 'soldAt'),
  ]);
  return { ...item, outbox, journal, pendingOrders } as Item;
}
