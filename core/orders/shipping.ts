import type { OrderProgress } from './order-states.ts';

/** How far an order is on its way to the buyer. */
export interface Shipping {
  /** null until it was sent. */
  readonly shippedAt: Date | null;
  readonly carrier: string | null;
  readonly trackingNumber: string | null;
}

/** What a caller tells of the shipping: a field left out stays as it is, null removes it. */
export interface ShippingReport {
  readonly carrier?: string | null | undefined;
  readonly trackingNumber?: string | null | undefined;
}

/**
 * The order as sent. A further report corrects carrier and tracking number, and keeps the time. The same order when nothing
 * changes; null for a cancelled one, which is not sent.
 */
export function shipOrder<Order extends OrderProgress & Shipping>(
  order: Order,
  { carrier = order.carrier, trackingNumber = order.trackingNumber }: ShippingReport,
  now: Date,
): Order | null {
  if (order.state === 'cancelled') return null;
  if (order.shippedAt !== null && carrier === order.carrier && trackingNumber === order.trackingNumber) return order;
  const shippedAt = order.shippedAt ?? now;
  return { ...order, carrier, trackingNumber, shippedAt, updatedAt: now, revision: order.revision + 1 };
}
