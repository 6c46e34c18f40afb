import type { AccountId } from '../core/ids.ts';
import type { WebhookTarget } from '../core/webhooks/select-targets.ts';
import type { StoreConnection } from './connection.ts';
import { insertDeliveries, type Delivery } from './deliveries.ts';
import { findStoredEventIds, insertEvents, type DueEvent, type NumberedEvent } from './events.ts';
import { inTransaction } from './transaction.ts';
import { findTargets } from './webhook-targets.ts';

/** Makes the delivery records of one event, one for each target that wants it. Pure: it may run several times. */
export type PlanDeliveries = (event: NumberedEvent, targets: readonly WebhookTarget[]) => Delivery[];

/**
 * Stores an account's events with the deliveries they cause, in one transaction (protocol 12). Events whose id is stored
 * already had theirs. Returns the deliveries that were made.
 */
export function recordEvents(
  store: StoreConnection,
  account: AccountId,
  options: { events: readonly DueEvent[]; planDeliveries: PlanDeliveries; now: Date },
): Promise<Delivery[]> {
  return inTransaction(store, async (session) => {
    const known = await findStoredEventIds(
      store,
      options.events.map((event) => event.entry.eventId),
      session,
    );
    const fresh = unique(options.events).filter((event) => !known.has(event.entry.eventId));
    if (fresh.length === 0) return [];
    const targets = await findTargets(store, account, session);
    const numbered = await insertEvents(store, account, { events: fresh, now: options.now, session });
    const deliveries = numbered.flatMap((event) => options.planDeliveries(event, targets));
    await insertDeliveries(store, deliveries, session);
    return deliveries;
  });
}

const unique = (events: readonly DueEvent[]): DueEvent[] => [
  ...new Map(events.map((event) => [event.entry.eventId, event])).values(),
];
