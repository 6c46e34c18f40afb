import { domainTable } from '../../core/domains/domain-table.ts';
import type { Item, PendingOrder } from '../../core/items/item.ts';
import { feeOre } from '../../core/orders/fee.ts';
import type { JournalStore } from '../../store/journal.ts';
import type { OrderRow, OrderStore } from '../../store/orders.ts';
import type { RecordBatch } from './event-recorder.ts';

export interface OutboxDependencies {
  readonly recordEvents: RecordBatch;
  readonly journal: Pick<JournalStore, 'storeOnce'>;
  readonly orders: OrderStore;
  readonly platformFeeBps: number;
  readonly now: () => Date;
}

/**
 * Stores the events, orders and journal entries that an item carries. All have derived ids, so doing it again changes nothing.
 * The journal is written beside the rest, because partners wait for their events.
 */
export async function storeOutbox(dependencies: OutboxDependencies, item: Item): Promise<void> {
  const stored = await Promise.allSettled([storeEvents(dependencies, item), dependencies.journal.storeOnce(item)]);
  const failed = stored.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

async function storeEvents(dependencies: OutboxDependencies, item: Item): Promise<void> {
  const { accountId, id: itemId, externalId } = item;
  for (const pending of item.pendingOrders) await storeOrder(dependencies, item, pending);
  if (item.outbox.length === 0) return;
  await dependencies.recordEvents(
    accountId,
    item.outbox.map((entry) => ({ entry, accountId, itemId, externalId })),
  );
}

/** A payment may be reported between two tries of storing its order: then the order is there, and not yet paid. */
async function storeOrder(dependencies: OutboxDependencies, item: Item, pending: PendingOrder): Promise<void> {
  const { orders, now } = dependencies;
  await orders.insertOnce(orderRow(dependencies, item, pending));
  if (pending.isPaid) await orders.markPaid(item.accountId, pending.orderId, now());
}

/** The order keeps what was true at the sale: category name, domain and fee (decisions "Orders"). */
function orderRow({ platformFeeBps, now }: OutboxDependencies, item: Item, pending: PendingOrder): OrderRow {
  const domain = item.content.domain?.slug ?? 'other';
  const { orderId, isPaid, ...sale } = pending;
  return {
    _id: orderId,
    accountId: item.accountId,
    itemId: item.id,
    externalId: item.externalId,
    ...sale,
    feeBps: platformFeeBps,
    feeOre: feeOre(sale.amountOre, platformFeeBps),
    state: isPaid ? 'paid' : 'pending',
    domain,
    category: domainTable[domain].analyticsName,
    createdAt: now(),
    updatedAt: now(),
  };
}
