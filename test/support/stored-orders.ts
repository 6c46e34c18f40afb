import { randomUUID } from 'node:crypto';
import { itemId, orderId, type AccountId } from '../../features/rules/ids.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { noSteps, writeOrder, type OrderRow } from '../../features/orders/store/orders.ts';
import { noon } from './an-item.ts';

/** A pending direct sale of 100.10 SEK. */
export function anOrder(account: AccountId, change: Partial<OrderRow> = {}): OrderRow {
  return {
    _id: orderId(`ord_${randomUUID()}`),
    accountId: account,
    itemId: itemId(randomUUID()),
    externalId: 'A1',
    platform: 'service',
    amountOre: 10_010,
    feeBps: 500,
    feeOre: 501,
    domain: 'electronics',
    category: 'Elektronik',
    dealId: null,
    commission: null,
    adId: null,
    state: 'pending',
    paidAt: null,
    completedAt: null,
    cancelledAt: null,
    soldAt: noon,
    createdAt: noon,
    updatedAt: noon,
    ...noSteps,
    changedAt: noon,
    ...change,
  };
}

/** Stores an order as the sale of its item does. */
export const storeOrder = (store: StoreConnection, after: OrderRow): Promise<void> =>
  inTransaction(store, (session) => writeOrder(store, { before: null, after }, session));
