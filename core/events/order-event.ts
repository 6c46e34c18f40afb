import type { OrderId } from '../ids.ts';
import type { Item } from '../items/item.ts';
import type { SalePlatform } from '../orders/sale-platforms.ts';
import { orderEventId } from './event-id.ts';
import { emit } from './outbox.ts';

export interface OrderNews {
  readonly orderId: OrderId;
  readonly what: 'paid' | 'shipped' | 'cancelled';
  readonly platform: SalePlatform;
  /** The auction that was won; null for a direct sale. */
  readonly adId: string | null;
}

/**
 * Adds an `order.*` event. It names the order and holds nothing of the buyer, because events, deliveries and logs of receivers
 * outlive the buyer's data (docs/personal-data.md).
 */
export const emitOrder = (item: Item, { orderId, what, platform, adId }: OrderNews, now: Date): Item =>
  emit(item, {
    eventId: orderEventId(item.id, orderId, what),
    type: `order.${what}`,
    occurredAt: now,
    platform,
    extra: { orderId, marketplaceAdId: adId },
  });
