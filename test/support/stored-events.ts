import { randomUUID } from 'node:crypto';
import type { EventType } from '../../core/events/event-types.ts';
import { accountId, eventId, itemId } from '../../core/ids.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { recordEvents } from '../../store/events/event-log.ts';
import type { DueEvent } from '../../store/events/events.ts';
import { planDeliveries } from '../../usecases/events/plan-deliveries.ts';

/** An event of an item of its own, as the outbox of the item carries it; accepted when it is stored, unless the test says so. */
export function aDueEvent(account: string, externalId: string, type: EventType = 'item.created'): DueEvent {
  const serviceItemId = itemId(randomUUID());
  const sale = { platform: 'service', salePrice: 0, currency: 'SEK' };
  return {
    entry: {
      eventId: eventId(`evt_${serviceItemId.replaceAll('-', '')}_created`),
      type,
      sequence: 1,
      data: { externalId, serviceItemId, ...sale, sequence: 1, type: 'item' },
      occurredAt: new Date('2026-11-21T12:00:00.125Z'),
      acceptedAt: null,
    },
    accountId: accountId(account),
    itemId: serviceItemId,
    externalId,
  };
}

/** Stores events of one account in one transaction, with the deliveries they cause. */
export async function storeEvents(connection: StoreConnection, events: readonly DueEvent[]): Promise<void> {
  const now = new Date();
  const [first] = events;
  if (first === undefined) return;
  await recordEvents(connection, first.accountId, {
    events,
    planDeliveries: (event, targets) => planDeliveries(event, targets, now),
    now,
  });
}
