import { randomUUID } from 'node:crypto';
import type { EventType } from '../../core/events/event-types.ts';
import { accountId, eventId, itemId } from '../../core/ids.ts';
import { wantsEvent } from '../../core/webhooks/delivery.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { inTransaction } from '../../store/database/transaction.ts';
import { insertDeliveries, type Delivery } from '../../store/deliveries/deliveries.ts';
import { insertEvents, type DueEvent, type StoredEvent } from '../../store/events/events.ts';
import { findTargets, type Target } from '../../store/webhooks/webhook-targets.ts';
import { planDelivery } from '../../usecases/deliveries/first-attempts.ts';
import { present } from './clock.ts';

/** An event of an item of its own, as the outbox of the item carries it; accepted when it is stored, unless the test says so. */
export function aDueEvent(account: string, externalId: string, type: EventType = 'item.created'): DueEvent {
  const serviceItemId = itemId(randomUUID());
  const common = { platform: 'service', salePrice: 0, currency: 'SEK', sequence: 1 };
  return {
    entry: {
      eventId: eventId(`evt_${serviceItemId.replaceAll('-', '')}_created`),
      type,
      sequence: 1,
      data: { externalId, serviceItemId, ...common, ...extraOf(type) },
      occurredAt: new Date('2026-11-21T12:00:00.125Z'),
      acceptedAt: null,
    },
    accountId: accountId(account),
    itemId: serviceItemId,
    externalId,
  };
}

/** What the interface document asks of the types that tests store. */
const extraOf = (type: EventType): object =>
  type === 'item.created'
    ? { type: 'item' }
    : type === 'item.changed'
      ? { what: 'price', by: 'dashboard', price: 1, serviceStatus: 'active' }
      : { orderId: 'ord_1', marketplaceAdId: null };

/** Plans as a process does that owns none of the targets: every delivery waits in its queue. */
export const planUnreserved = (event: StoredEvent, targets: readonly Target[], now: Date): Delivery[] =>
  targets
    .filter((target) => wantsEvent(target, { ...event.entry, acceptedAt: event.entry.acceptedAt ?? now }))
    .map((target) => planDelivery(event, target, now));

/** Stores events in one transaction, with the deliveries they cause, as the settling of their items does. */
export async function storeEvents(
  store: StoreConnection,
  events: readonly DueEvent[],
  now: Date = present(),
): Promise<Delivery[]> {
  const targetsOf = await findTargets(store, [...new Set(events.map(({ accountId: owner }) => owner))]);
  return inTransaction(store, async (session) => {
    const numbered = await insertEvents(store, events, { now, session });
    const deliveries = numbered.flatMap((event) => planUnreserved(event, targetsOf(event.accountId), now));
    await insertDeliveries(store, deliveries, session);
    return deliveries;
  });
}
