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
}
const counterModel = defineCollection<CounterRow>(
  'event_counters',
  new Schema({ _id: String, lastNumber: Number }, { versionKey: false }),
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
  /** Decides which targets get the event, and its position in a recovery. */
  readonly acceptedAt: Date;
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
  const next = await takeNumbers(store, events, session);
  const numbered = events.map((event): NumberedEvent => {
    const number = next.get(event.accountId) ?? 1;
    next.set(event.accountId, number + 1);
    return { ...event, number, acceptedAt: event.entry.acceptedAt ?? now };
  });
  const rows = numbered.map((event) => rowOf(event, now));
  await insertRows(store, 'events', { rows, session, ordered: true });
  return numbered;
}

/** Reserves numbers for the accounts' events; returns the first of each account. */
async function takeNumbers(
  store: StoreConnection,
  events: readonly DueEvent[],
  session: ClientSession,
): Promise<Map<AccountId, number>> {
  const counters = rowsOf(counterModel(store));
  const counts = new Map([...groupBy(events, ({ accountId }) => accountId)].map(([id, own]) => [id, own.length]));
  const raise = (count: number) => ({ $inc: { lastNumber: count } });
  const firstOf = ({ _id, lastNumber }: CounterRow): [AccountId, number] => [
    _id,
    lastNumber - (counts.get(_id) ?? 0) + 1,
  ];
  const [only, ...others] = counts;
  if (only !== undefined && others.length === 0) {
    const [_id, count] = only;
    const options = { upsert: true, returnDocument: 'after', session } as const;
    const row = await counters.findOneAndUpdate({ _id }, raise(count), options);
    return new Map(row === null ? [] : [firstOf(row)]);
  }
  const operations = [...counts].map(([_id, count]) => ({
    updateOne: { filter: { _id }, update: raise(count), upsert: true },
  }));
  await counters.bulkWrite(operations, { session });
  const rows = await counters.find({ _id: { $in: [...counts.keys()] } }, { session }).toArray();
  return new Map(rows.map(firstOf));
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
