import type { AccountId, EventId } from '../ids.ts';
import type { Item } from '../items/item.ts';
import type { EventType } from './event-types.ts';

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
