import { acceptWrite } from '../items/accept-write.ts';
import type { Item } from '../items/item.ts';
import type { Actor } from '../items/journal.ts';
import { note } from '../items/note.ts';
import type { OrderId } from '../ids.ts';
import { closeOrder } from '../listings/auction-end.ts';
import type { OrderState } from './order-states.ts';

export interface OrderMove {
  readonly orderId: OrderId;
  /** The order's new state. */
  readonly state: Exclude<OrderState, 'pending'>;
}

/**
 * Applies a manual change of an order to its item. A closed order no longer blocks the item, and a known payment is no longer
 * looked for. A cancelled order leaves the item `sold` (protocol 6). The item's history names the actor.
 */
export function followOrder(
  item: Item,
  { orderId, state }: OrderMove,
  { now, actor }: { now: Date; actor: Actor },
): Item {
  const followed = state === 'paid' ? withPayment(item, orderId) : closeOrder(item, orderId, now);
  const accepted = followed.revision === item.revision ? acceptWrite(followed, now) : followed;
  return note(accepted, { at: now, kind: kinds[state], details: { orderId }, actor });
}

const kinds = { paid: 'paid', completed: 'order_completed', cancelled: 'order_cancelled' } as const;

const withPayment = (item: Item, orderId: OrderId): Item => ({
  ...item,
  unpaidOrderIds: item.unpaidOrderIds.filter((unpaid) => unpaid !== orderId),
  pendingOrders: item.pendingOrders.map((pending) =>
    pending.orderId === orderId ? { ...pending, isPaid: true } : pending,
  ),
});
