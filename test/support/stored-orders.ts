import type { StoreConnection } from '../../store/database/connection.ts';
import { inTransaction } from '../../store/database/transaction.ts';
import { writeOrder, type OrderRow } from '../../store/orders/orders.ts';

/** Stores an order as the sale of its item does. */
export const storeOrder = (store: StoreConnection, after: OrderRow): Promise<void> =>
  inTransaction(store, (session) => writeOrder(store, { before: null, after }, session));
