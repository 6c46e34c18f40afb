import { emitOrder } from '../../webhooks/rules/event-data.ts';
import { acceptWrite } from '../../items/rules/owed-work.ts';
import type { Item } from '../../items/rules/item.ts';
import type { Actor } from '../../items/rules/journal.ts';
import { note } from '../../items/rules/note.ts';
import type { OrderId } from '../../rules/ids.ts';
import { closeOrder } from '../../listings/rules/auction-end.ts';
import type { OrderState, SalePlatform } from './order.ts';

export interface MovedOrder {
  readonly orderId: OrderId;
  readonly platform: SalePlatform;
  /** The won auction; null for a direct sale. */
  readonly adId: string | null;
}

export interface OrderMove extends MovedOrder {
  /** The order's new state. */
  readonly state: Exclude<OrderState, 'pending'>;
}

/**
 * Applies a manual change of an order to its item. A closed order no longer blocks the item, and a known payment is no longer
 * looked for. A cancelled order leaves the item `sold` (protocol 6). The item's history names the actor.
 */
export function followOrder(item: Item, { state, ...order }: OrderMove, { now, actor }: Cause): Item {
  const { orderId } = order;
  const followed = state === 'paid' ? withPayment(item, orderId) : closeOrder(item, orderId, now);
  const accepted = followed.revision === item.revision ? acceptWrite(followed, now) : followed;
  const noted = note(accepted, { at: now, kind: kinds[state], details: { orderId }, actor });
  return state === 'completed' ? noted : emitOrder(noted, { ...order, what: state }, now);
}

interface Cause {
  readonly now: Date;
  readonly actor: Actor;
}

/** The order was sent: the item's history and events tell of it, and nothing else changes. */
export const followShipping = (item: Item, order: MovedOrder, { now, actor }: Cause): Item =>
  acceptWrite(
    emitOrder(
      note(item, { at: now, kind: 'order_shipped', details: { orderId: order.orderId }, actor }),
      { ...order, what: 'shipped' },
      now,
    ),
    now,
  );

const kinds = { paid: 'paid', completed: 'order_completed', cancelled: 'order_cancelled' } as const;

const withPayment = (item: Item, orderId: OrderId): Item => ({
  ...item,
  unpaidOrderIds: item.unpaidOrderIds.filter((unpaid) => unpaid !== orderId),
});
