import type { AccountId, EventId, OrderId } from '../ids.ts';
import { startPriceOre, type Item } from '../items/item.ts';
import type { Actor } from '../items/journal.ts';
import { sekFromOre } from '../money.ts';
import type { SalePlatform } from '../orders/order.ts';
import { itemChangedId, orderEventId, type EventType } from './event-types.ts';

export interface Occurrence {
  readonly eventId: EventId;
  readonly type: EventType;
  readonly occurredAt: Date;
  /** Where it happened; `service` unless the marketplace is meant. */
  readonly platform: 'marketplace' | 'service' | 'service_card' | 'service_mobile';
  /** SEK; 0 for every event other than a sale. */
  readonly salePrice?: number;
  /** Extra fields of the event type. */
  readonly extra: Readonly<Record<string, unknown>>;
  /** The account whose API key caused it: its own targets are not told of it. */
  readonly writtenBy?: AccountId;
}

/** Adds one due event to the item, so that the write that makes the event due also stores it (protocol 10). */
export function emit(item: Item, occurrence: Occurrence): Item {
  const sequence = item.sequence + 1;
  const data = {
    externalId: item.externalId,
    serviceItemId: item.id,
    platform: occurrence.platform,
    salePrice: occurrence.salePrice ?? 0,
    currency: item.content.currency,
    sequence,
    ...occurrence.extra,
  };
  const { eventId, type, occurredAt, writtenBy } = occurrence;
  const cause = {
    ...(item.requestId != null && { requestId: item.requestId }),
    ...(writtenBy !== undefined && { writtenBy }),
  };
  const entry = { eventId, type, sequence, data, occurredAt, acceptedAt: null, ...cause };
  return { ...item, sequence, outbox: [...item.outbox, entry] };
}

/**
 * What another than the account's own program has changed. `taken_down` is off sale, by a status, because none is left, or at the
 * marketplace.
 */
export const itemChanges = ['price', 'quantity', 'taken_down', 'deleted'] as const;
export type ItemChange = (typeof itemChanges)[number];

/** Who may have changed it. */
export const itemChangers = ['dashboard', 'reseller', 'marketplace', 'operator'] as const;
type ItemChanger = (typeof itemChangers)[number];

const isChanger = (kind: string): kind is ItemChanger => itemChangers.some((one) => one === kind);

/**
 * Adds `item.changed` when the actor is another than a key of the account itself: its program knows what it wrote, and learns
 * here what it did not. `item` is the item after the change; `before` its price until then, for a change of the price.
 */
export function emitChange(
  item: Item,
  { what, actor, priceOreBefore }: { what: ItemChange; actor: Actor; priceOreBefore?: number },
  now: Date,
): Item {
  if (!isChanger(actor.kind)) return item;
  return emit(item, {
    eventId: itemChangedId(item.id, item.revision),
    type: 'item.changed',
    occurredAt: now,
    platform: actor.kind === 'marketplace' ? 'marketplace' : 'service',
    extra: {
      what,
      by: actor.kind,
      price: sekFromOre(startPriceOre(item)),
      ...(priceOreBefore !== undefined && { previousPrice: sekFromOre(priceOreBefore) }),
      ...(item.quantityLeft !== null && { quantityLeft: item.quantityLeft }),
      serviceStatus: item.removedAt === null ? item.serviceStatus : null,
    },
    ...(actor.keyId !== null && actor.accountId !== null && { writtenBy: actor.accountId }),
  });
}

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
