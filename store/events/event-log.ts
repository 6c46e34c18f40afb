import type { AccountId } from '../../core/ids.ts';
import type { WebhookTarget } from '../../core/webhooks/wants-event.ts';
import { isDuplicateKey, type StoreConnection } from '../database/connection.ts';
import { insertDeliveries, type Delivery } from '../deliveries/deliveries.ts';
import { findStoredEventIds, insertEvents, type DueEvent, type NumberedEvent } from './events.ts';
import { inTransaction, type Session } from '../database/transaction.ts';
import { findTargets } from '../webhooks/webhook-targets.ts';

/** Makes the delivery records of one event, one for each target that wants it. Pure: it may run several times. */
export type PlanDeliveries = (event: NumberedEvent, targets: readonly WebhookTarget[]) => Delivery[];

interface Recording {
  readonly events: readonly DueEvent[];
  readonly planDeliveries: PlanDeliveries;
  readonly now: Date;
}

/**
 * The number of rows that MongoDB recommends for one transaction. Even at 1 ms a row the transaction ends well within the five
 * seconds that a server may allow; a longer one would be retried for ever. One event with all its targets has 42 rows.
 */
const rowsMax = 1_000;

/** The deliveries that one transaction stored, and the events that did not fit into it. */
interface Recorded {
  readonly deliveries: readonly Delivery[];
  readonly rest: readonly DueEvent[];
}

/**
 * Stores an account's events. Each event and its deliveries are in one transaction, which may hold many events (protocol 12). An
 * event whose id is stored already has its deliveries. Returns the new deliveries.
 */
export async function recordEvents(
  store: StoreConnection,
  account: AccountId,
  recording: Recording,
): Promise<Delivery[]> {
  const made: Delivery[] = [];
  let { events } = recording;
  while (events.length > 0) {
    const { deliveries, rest } = await recordSome(store, account, { ...recording, events });
    made.push(...deliveries);
    events = rest;
  }
  return made;
}

async function recordSome(store: StoreConnection, account: AccountId, recording: Recording): Promise<Recorded> {
  try {
    return await recordFresh(store, account, recording);
  } catch (error) {
    // Events are stored already only when work is repeated because a process died or was too slow.
    if (!isDuplicateKey(error)) throw error;
    return recordUnknown(store, account, recording);
  }
}

const recordFresh = (store: StoreConnection, account: AccountId, recording: Recording): Promise<Recorded> =>
  inTransaction(store, (session) => insertSome(store, account, { ...recording, session }));

const recordUnknown = (store: StoreConnection, account: AccountId, recording: Recording): Promise<Recorded> =>
  inTransaction(store, async (session) => {
    const ids = recording.events.map((event) => event.entry.eventId);
    const known = await findStoredEventIds(store, ids, session);
    const fresh = unique(recording.events).filter((event) => !known.has(event.entry.eventId));
    if (fresh.length === 0) return { deliveries: [], rest: [] };
    return insertSome(store, account, { ...recording, events: fresh, session });
  });

async function insertSome(
  store: StoreConnection,
  account: AccountId,
  { events, planDeliveries, now, session }: Recording & { readonly session: Session },
): Promise<Recorded> {
  const targets = await findTargets(store, account, session);
  const fit = Math.max(1, Math.floor(rowsMax / (1 + targets.length)));
  const numbered = await insertEvents(store, account, { events: events.slice(0, fit), now, session });
  const deliveries = numbered.flatMap((event) => planDeliveries(event, targets));
  await insertDeliveries(store, deliveries, session);
  return { deliveries, rest: events.slice(fit) };
}

const unique = (events: readonly DueEvent[]): DueEvent[] => [
  ...new Map(events.map((event) => [event.entry.eventId, event])).values(),
];
