import { domainTable } from '../../core/domains/domain-table.ts';
import type { Item, PendingOrder } from '../../core/items/item.ts';
import { feeOre } from '../../core/orders/fee.ts';
import type { OrderRow, OrderStore } from '../../store/orders.ts';
import type { RecordBatch } from './event-recorder.ts';

export interface OutboxDependencies {
  readonly recordEvents: RecordBatch;
  readonly orders: OrderStore;
  readonly platformFeeBps: number;
  readonly now: () => Date;
}

/** Stores the events and orders that an item carries. Both have derived ids, so doing it again changes nothing. */
export async function storeOutbox(dependencies: OutboxDependencies, item: Item): Promise<void> {
  const { accountId, id: itemId, externalId } = item;
  for (const pending of item.pendingOrders) await dependencies.orders.insertOnce(orderRow(dependencies, item, pending));
  if (item.outbox.length === 0) return;
  await dependencies.recordEvents(
    accountId,
    item.outbox.map((entry) => ({ entry, accountId, itemId, externalId })),
  );
}

/** The order keeps what was true at the sale: category name, domain and fee (decisions "Orders"). */
function orderRow({ platformFeeBps, now }: OutboxDependencies, item: Item, pending: PendingOrder): OrderRow {
  const domain = item.content.domain?.slug ?? 'other';
  const { orderId, ...sale } = pending;
  return {
    _id: orderId,
    accountId: item.accountId,
    itemId: item.id,
    externalId: item.externalId,
    ...sale,
    feeBps: platformFeeBps,
    feeOre: feeOre(sale.amountOre, platformFeeBps),
    state: 'pending',
    domain,
    category: domainTable[domain].analyticsName,
    createdAt: now(),
    updatedAt: now(),
  };
}
