import type { Item } from '../../core/items/item.ts';
import type { JournalStore } from '../../store/items/journal.ts';
import { insertPendingOrder, type PendingOrderDependencies } from '../orders/insert-pending-order.ts';
import type { RecordBatch } from './event-recorder.ts';

export interface OutboxDependencies extends PendingOrderDependencies {
  readonly recordEvents: RecordBatch;
  readonly journal: Pick<JournalStore, 'storeOnce'>;
}

/**
 * Stores the events, orders and journal entries that an item carries. All ids are derived, so a repeated call changes nothing.
 * The journal is written in parallel, because partners wait for their events.
 */
export async function storeOutbox(dependencies: OutboxDependencies, item: Item): Promise<void> {
  const stored = await Promise.allSettled([storeEvents(dependencies, item), dependencies.journal.storeOnce(item)]);
  const failed = stored.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

async function storeEvents(dependencies: OutboxDependencies, item: Item): Promise<void> {
  const { accountId, id: itemId, externalId } = item;
  for (const pending of item.pendingOrders) await insertPendingOrder(dependencies, item, pending);
  if (item.outbox.length === 0) return;
  await dependencies.recordEvents(
    accountId,
    item.outbox.map((entry) => ({ entry, accountId, itemId, externalId })),
  );
}
