import type { StoreConnection } from '../../platform/database/connection.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { writeOrder, type OrderRow } from '../../features/orders/store/orders.ts';

/** Stores an order as the sale of its item does. */
export const storeOrder = (store: StoreConnection, after: OrderRow): Promise<void> =>
  inTransaction(store, (session) => writeOrder(store, { before: null, after }, session));
