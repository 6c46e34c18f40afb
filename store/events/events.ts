import { Schema, type ClientSession } from 'mongoose';

import type { Trace } from '../../core/due.ts';
import { groupBy } from '../../core/group-by.ts';
import type { AccountId, EventId, ItemId } from '../../core/ids.ts';
import type { OutboxEntry } from '../../core/items/item.ts';
import type { EventType } from '../../core/events/event-types.ts';
import { defineCollection, rowsOf, type StoreConnection } from '../database/connection.ts';
import { insertRows } from '../batching/batch.ts';

/** An event as partners can read it for 30 days; `number` counts the account's events in commit order (protocol 12). */
export interface EventRow {
  readonly _id: EventId;
  readonly accountId: AccountId;
  readonly number: number;
  readonly type: EventType;
  readonly itemId: ItemId;
  readonly externalId: string;
  readonly sequence: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly occurredAt: Date;
  /** When the write that carried it was accepted, in the database's time. */
  readonly acceptedAt: Date;
  readonly storedAt: Date;
  /** Cause of the event, for the operator of the service; absent when unknown. */
  readonly requestId?: string;
}

const keptSeconds = 30 * 24 * 3_600;
/** Without a confirmation within this time, the majority counts as unreachable. */
const confirmTimeoutMs = 5_000;

const schema = new Schema(
  {
    _id: String,
    accountId: String,
    number: Number,
    type: String,
    itemId: String,
    externalId: String,
    sequence: Number,
    data: {},
    occurredAt: Date,
    acceptedAt: Date,
    storedAt: Date,
    requestId: String,
  },
  { versionKey: false, minimize: false },
);
schema.index({ accountId: 1, number: 1 }, { unique: true });
schema.index({ storedAt: 1 }, { expireAfterSeconds: keptSeconds });
const model = defineCollection<EventRow>('events', schema);

interface CounterRow {
  readonly _id: AccountId;
  readonly lastNumber: number;
  /** The latest time at which one of the account's events was accepted. */
  readonly lastAt?: Date;
}
const counterModel = defineCollection<CounterRow>(
  'event_counters',
  new Schema({ _id: String, lastNumber: Number, lastAt: Date }, { versionKey: false }),
);

/** One outbox entry with the item it belongs to. */
export interface DueEvent {
  readonly entry: OutboxEntry;
  readonly accountId: AccountId;
  readonly itemId: ItemId;
  readonly externalId: string;
  /** The trace of the write that caused it. */
  readonly trace?: Trace | undefined;
}

/** The event with its number, which counts the account's events in commit order. */
export interface NumberedEvent extends DueEvent {
  readonly number: number;
  /** Decides which targets get the event. */
  readonly acceptedAt: Date;
  /** Its position in a recovery: `acceptedAt`, but not before that of the account's previous event. */
  readonly eventAt: Date;
}

/** Leaves out events that are stored already, because an earlier transaction has stored them. */
export async function withoutStoredEvents(
  store: StoreConnection,
  events: readonly DueEvent[],
  session: ClientSession,
): Promise<DueEvent[]> {
  const unique = new Map(events.map((event) => [event.entry.eventId, event]));
  const rows = await rowsOf(model(store))
    .find({ _id: { $in: [...unique.keys()] } }, { projection: { _id: 1 }, session })
    .toArray();
  for (const { _id } of rows) unique.delete(_id);
  return [...unique.values()];
}

/**
 * Inserts events with the next numbers of their accounts, in their order, and returns them with their numbers. Runs inside the
 * transaction that also makes the deliveries.
 */
export async function insertEvents(
  store: StoreConnection,
  events: readonly DueEvent[],
  { now, session }: { now: Date; session: ClientSession },
): Promise<NumberedEvent[]> {
  if (events.length === 0) return [];
  const before = await raiseCounters(store, events, { now, session });
  const counters = new Map<AccountId, Omit<CounterRow, '_id'>>(before.map((row) => [row._id, row]));
  const numbered = events.map((event): NumberedEvent => {
    const acceptedAt = acceptedAtOf(event, now);
    const { lastNumber = 0, lastAt = acceptedAt } = counters.get(event.accountId) ?? {};
    const isPossible = lastAt.getTime() <= now.getTime() + clockErrorMaxMs;
    const eventAt = isPossible && lastAt > acceptedAt ? lastAt : acceptedAt;
    counters.set(event.accountId, { lastNumber: lastNumber + 1, lastAt: eventAt });
    return { ...event, number: lastNumber + 1, acceptedAt, eventAt };
  });
  const rows = numbered.map((event) => rowOf(event, now));
  await insertRows(store, 'events', { rows, session, ordered: true });
  return numbered;
}

/** A time that is further ahead was stamped by a wrong clock. The account's next events don't take it over. */
const clockErrorMaxMs = 60_000;

const acceptedAtOf = ({ entry }: DueEvent, now: Date): Date => entry.acceptedAt ?? now;

/** Counts the events; returns the counters as they were before. An account without events is absent. */
async function raiseCounters(
  store: StoreConnection,
  events: readonly DueEvent[],
  { now, session }: { now: Date; session: ClientSession },
): Promise<CounterRow[]> {
  const counters = rowsOf(counterModel(store));
  const raises = [...groupBy(events, ({ accountId }) => accountId)].map(([_id, own]) => {
    const lastAt = new Date(Math.max(...own.map((event) => acceptedAtOf(event, now).getTime())));
    return { filter: { _id }, update: { $inc: { lastNumber: own.length }, $max: { lastAt } }, upsert: true };
  });
  const [only, ...others] = raises;
  if (only !== undefined && others.length === 0) {
    const options = { upsert: true, returnDocument: 'before', session } as const;
    const row = await counters.findOneAndUpdate(only.filter, only.update, options);
    return row === null ? [] : [row];
  }
  const ids = raises.map(({ filter }) => filter._id);
  const rows = await counters.find({ _id: { $in: ids } }, { session }).toArray();
  await counters.bulkWrite(
    raises.map((updateOne) => ({ updateOne })),
    { session },
  );
  return rows;
}

const rowOf = (
  { entry, accountId, itemId, externalId, number, acceptedAt }: NumberedEvent,
  storedAt: Date,
): EventRow => ({
  _id: entry.eventId,
  accountId,
  number,
  type: entry.type,
  itemId,
  externalId,
  sequence: entry.sequence,
  data: entry.data,
  occurredAt: entry.occurredAt,
  acceptedAt,
  storedAt,
  ...(entry.requestId !== undefined && { requestId: entry.requestId }),
});

/** A slice of an account's events at one point in time. */
export interface EventSlice {
  /** In the order of their numbers. */
  readonly rows: readonly EventRow[];
  /** Number of the account's newest event, even if that was removed since; 0 before the first. */
  readonly lastNumber: number;
}

/**
 * The first `limit` events with a number above `after`, read from the primary with majority. Counter and rows are of one
 * snapshot. Numbers are assigned in commit order, so a snapshot that has one event has all before it (protocol 12).
 */
export async function readEventSlice(
  store: StoreConnection,
  account: AccountId,
  { after, limit }: { after: number; limit: number },
): Promise<EventSlice> {
  const session = await store.connection.startSession({ snapshot: true });
  try {
    const counter = await counterModel(store).findOne({ _id: account }, undefined, { session }).lean<CounterRow>();
    const rows = await model(store)
      .find({ accountId: account, number: { $gt: after } }, undefined, { session })
      .sort({ number: 1 })
      .limit(limit)
      .lean<EventRow[]>();
    return { rows, lastNumber: counter?.lastNumber ?? 0 };
  } finally {
    await session.endSession();
  }
}

/**
 * Whether the account has had an event of this number, by a linearizable read. For a moment a primary that was just elected may
 * not know which of its writes are final. Its snapshots then lack the newest events.
 */
export async function hasReachedEvent(store: StoreConnection, account: AccountId, number: number): Promise<boolean> {
  const counter = await counterModel(store)
    .findOne({ _id: account })
    .read('primary')
    .readConcern('linearizable')
    .maxTimeMS(confirmTimeoutMs)
    .lean<CounterRow>();
  return (counter?.lastNumber ?? 0) >= number;
}
