import { randomUUID } from 'node:crypto';
import type { EventType } from '../../features/webhooks/rules/event-types.ts';
import { accountId, eventId, itemId } from '../../features/rules/ids.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { insertDeliveries, type Delivery } from '../../features/webhooks/store/deliveries.ts';
import { waitingDeliveries } from '../../features/webhooks/store/make-deliveries.ts';
import { insertEvents, type DueEvent } from '../../features/webhooks/store/events.ts';
import { findTargets } from '../../features/webhooks/store/webhook-targets.ts';
import { present } from './clock.ts';

/** An event of an item of its own, as a write of the item brings it. */
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

/** Stores events in one transaction, with the deliveries they cause, as the writes of their items do. Each is a millisecond later. */
export async function storeEvents(
  store: StoreConnection,
  events: readonly DueEvent[],
  now: Date = present(),
): Promise<Delivery[]> {
  const { planDeliveries } = waitingDeliveries();
  return inTransaction(store, async (session) => {
    const owners = [...new Set(events.map(({ accountId: owner }) => owner))];
    const targetsOf = await findTargets(store, owners, session);
    const inTurn = events.map((event, ms) => ({ ...event, notBefore: new Date(now.getTime() + ms) }));
    const stored = await insertEvents(store, inTurn, { now, session });
    const deliveries = stored.flatMap((event) => planDeliveries(event, targetsOf(event.accountId), now));
    await insertDeliveries(store, deliveries, session);
    return deliveries;
  });
}
