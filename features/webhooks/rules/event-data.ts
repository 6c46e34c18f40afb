import type { AccountId, EventId, OrderId } from '../../rules/ids.ts';
import { startPriceOre, type Item } from '../../items/rules/item.ts';
import type { Actor } from '../../items/rules/journal.ts';
import { sekFromOre } from '../../rules/money.ts';
import type { SalePlatform } from '../../orders/rules/order.ts';
import { itemChangedId, itemCreatedId, orderEventId, type EventType } from './event-types.ts';

export interface Occurrence {
  readonly eventId: EventId;
  readonly type: EventType;
  readonly occurredAt: Date;
  /** Where it happened; `service` unless it happened at the marketplace. */
  readonly platform: 'marketplace' | 'service' | 'service_card' | 'service_mobile';
  /** SEK; 0 for every event other than a sale. */
  readonly salePrice?: number;
  /** Extra fields of the event type. */
  readonly extra: Readonly<Record<string, unknown>>;
  /** The account whose API key caused it; its own targets do not get the event. */
  readonly writtenBy?: AccountId;
}

/** Adds one event to the item's write, which stores it (protocol 10). */
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
  const entry = { eventId, type, sequence, data, occurredAt, ...cause };
  return { ...item, sequence, outbox: [...item.outbox, entry] };
}

/** Adds `item.created` to the first write of an item. */
export const emitCreated = (item: Item, now: Date): Item =>
  emit(item, {
    eventId: itemCreatedId(item.id),
    type: 'item.created',
    occurredAt: now,
    platform: 'service',
    extra: { type: 'item' },
  });

/**
 * Kinds of changes that the account's own program did not make. `taken_down`: no longer for sale, by a status, because
 * none is left, or at the marketplace.
 */
export const itemChanges = ['price', 'quantity', 'taken_down', 'deleted'] as const;
export type ItemChange = (typeof itemChanges)[number];

/** The possible actors of such a change. */
export const itemChangers = ['dashboard', 'reseller', 'marketplace', 'operator'] as const;
type ItemChanger = (typeof itemChangers)[number];

const isChanger = (kind: string): kind is ItemChanger => itemChangers.some((one) => one === kind);

/**
 * Adds `item.changed` unless a key of the account itself is the actor: the program behind that key knows its own
 * writes. `item` is the item after the change; for a price change `before` is the earlier price.
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
  /** The won auction; null for a direct sale. */
  readonly adId: string | null;
}

/**
 * Adds an `order.*` event. It names the order and nothing of the buyer, because events, deliveries and receivers' logs
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
