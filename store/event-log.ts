import type { AccountId } from '../core/ids.ts';
import type { WebhookTarget } from '../core/webhooks/select-targets.ts';
import { isDuplicateKey, type StoreConnection } from './connection.ts';
import { insertDeliveries, type Delivery } from './deliveries.ts';
import { findStoredEventIds, insertEvents, type DueEvent, type NumberedEvent } from './events.ts';
import { inTransaction, type Session } from './transaction.ts';
import { findTargets } from './webhook-targets.ts';

/** Makes the delivery records of one event, one for each target that wants it. Pure: it may run several times. */
export type PlanDeliveries = (event: NumberedEvent, targets: readonly WebhookTarget[]) => Delivery[];

interface Recording {
  readonly events: readonly DueEvent[];
  readonly planDeliveries: PlanDeliveries;
  readonly now: Date;
}

/**
 * Stores an account's events with the deliveries they cause, in one transaction (protocol 12). Events whose id is stored
 * already had theirs. Returns the deliveries that were made.
 */
export async function recordEvents(
  store: StoreConnection,
  account: AccountId,
  recording: Recording,
): Promise<Delivery[]> {
  try {
    return await recordFresh(store, account, recording);
  } catch (error) {
    // Only what is done again, because somebody died or was too slow, is there already.
    if (!isDuplicateKey(error)) throw error;
    return recordUnknown(store, account, recording);
  }
}

const recordFresh = (store: StoreConnection, account: AccountId, recording: Recording): Promise<Delivery[]> =>
  inTransaction(store, (session) => insertAll(store, account, { ...recording, session }));

const recordUnknown = (store: StoreConnection, account: AccountId, recording: Recording): Promise<Delivery[]> =>
  inTransaction(store, async (session) => {
    const ids = recording.events.map((event) => event.entry.eventId);
    const known = await findStoredEventIds(store, ids, session);
    const fresh = unique(recording.events).filter((event) => !known.has(event.entry.eventId));
    return fresh.length === 0 ? [] : insertAll(store, account, { ...recording, events: fresh, session });
  });

async function insertAll(
  store: StoreConnection,
  account: AccountId,
  { events, planDeliveries, now, session }: Recording & { readonly session: Session },
): Promise<Delivery[]> {
  const targets = await findTargets(store, account, session);
  const numbered = await insertEvents(store, account, { events, now, session });
  const deliveries = numbered.flatMap((event) => planDeliveries(event, targets));
  await insertDeliveries(store, deliveries, session);
  return deliveries;
}

const unique = (events: readonly DueEvent[]): DueEvent[] => [
  ...new Map(events.map((event) => [event.entry.eventId, event])).values(),
];
