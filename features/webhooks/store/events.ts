import { Schema, type ClientSession } from 'mongoose';
import type { Trace } from '../../rules/trace.ts';
import type { AccountId, EventId, ItemId } from '../../rules/ids.ts';
import type { OutboxEntry } from '../../items/rules/item.ts';
import type { EventType } from '../rules/event-types.ts';
import { defineRows, type StoreConnection } from '../../../platform/database/connection.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { insertRows } from '../../../platform/database/batch.ts';

/** An event as partners can read it for 30 days. */
export interface EventRow {
  readonly _id: EventId;
  readonly accountId: AccountId;
  /** Its place in the account's feed. Absent until {@link numberEvents} has given it one. */
  readonly number?: number;
  /** true until it has a number. */
  readonly isUnnumbered?: true;
  readonly type: EventType;
  readonly itemId: ItemId;
  readonly externalId: string;
  readonly sequence: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly occurredAt: Date;
  /** When the transaction that stored it began. */
  readonly storedAt: Date;
  /** Cause of the event, for the operator of the service; absent when unknown. */
  readonly requestId?: string;
}

/** An event of the feed. */
export type NumberedRow = EventRow & { readonly number: number };

const keptSeconds = 30 * 24 * 3_600;
/** Without a confirmation within this time, the majority counts as unreachable. */
const confirmTimeoutMs = 5_000;

const schema = new Schema();
const isNumbered = { partialFilterExpression: { number: { $gt: 0 } } } as const;
schema.set('shardKey', { accountId: 1 });
schema.index({ accountId: 1, number: 1 }, { ...isNumbered, unique: true });
// An event without a number does not expire: no reader has had it.
schema.index({ storedAt: 1 }, { ...isNumbered, expireAfterSeconds: keptSeconds });
const feedOrder = { storedAt: 1, sequence: 1, _id: 1 } as const;
const isUnnumbered = { partialFilterExpression: { isUnnumbered: true } } as const;
schema.index({ accountId: 1, ...feedOrder }, isUnnumbered);
schema.index({ isUnnumbered: 1, storedAt: 1 }, isUnnumbered);
const eventRows = defineRows<EventRow>('events', schema);

interface CounterRow {
  readonly _id: AccountId;
  readonly lastNumber: number;
}
const counters = defineRows<CounterRow>('event_counters', new Schema({}, { shardKey: { _id: 1 } }));

/** An event with the item it belongs to. */
export interface DueEvent {
  readonly entry: OutboxEntry;
  readonly accountId: AccountId;
  readonly itemId: ItemId;
  readonly externalId: string;
  /** The trace of the write that caused it. */
  readonly trace?: Trace | undefined;
  /** When the last event of its item was stored: it is not stored before that, whatever the clocks say. */
  readonly notBefore?: Date | undefined;
}

/** The event with its place among the events of a target, which a recovery follows. */
export interface StoredEvent extends DueEvent {
  /** When the transaction that stores it began, by the database's clock. */
  readonly eventAt: Date;
}

/** Leaves out events that are stored already, because an earlier transaction has stored them. */
export async function withoutStoredEvents(
  store: StoreConnection,
  events: readonly DueEvent[],
  session: ClientSession,
): Promise<DueEvent[]> {
  const unique = new Map(events.map((event) => [event.entry.eventId, event]));
  const accounts = [...new Set(events.map(({ accountId }) => accountId))];
  const rows = await eventRows(store)
    .find({ _id: { $in: [...unique.keys()] }, accountId: { $in: accounts } }, { projection: { _id: 1 }, session })
    .toArray();
  for (const { _id } of rows) unique.delete(_id);
  return [...unique.values()];
}

/** Inserts events, which get their numbers later. Runs inside the transaction that also makes the deliveries. */
export async function insertEvents(
  store: StoreConnection,
  events: readonly DueEvent[],
  { now, session }: { now: Date; session: ClientSession },
): Promise<StoredEvent[]> {
  const stored = events.map((event) => ({ ...event, eventAt: laterOf(now, event.notBefore) }));
  await insertRows(store, 'events', { rows: stored.map(rowOf), session, ordered: true });
  return stored;
}

const laterOf = (one: Date, other: Date = one): Date => (other > one ? other : one);

const rowOf = ({ entry, accountId, itemId, externalId, eventAt }: StoredEvent): EventRow => ({
  _id: entry.eventId,
  accountId,
  isUnnumbered: true,
  type: entry.type,
  itemId,
  externalId,
  sequence: entry.sequence,
  data: entry.data,
  occurredAt: entry.occurredAt,
  storedAt: eventAt,
  ...(entry.requestId !== undefined && { requestId: entry.requestId }),
});

/** Events that one transaction numbers. */
const numberedMax = 500;

/**
 * Gives the account's oldest events without a number the next numbers of its feed, at most 500. Readers meet at the account's
 * counter, so each event gets one number. An event that is committed later gets a later number, so no reader misses one. Returns
 * whether more may be waiting.
 */
export async function numberEvents(store: StoreConnection, account: AccountId): Promise<boolean> {
  const events = eventRows(store);
  const waiting = { accountId: account, isUnnumbered: true } as const;
  if ((await events.findOne(waiting, { projection: { _id: 1 } })) === null) return false;
  return inTransaction(store, async (session) => {
    const found = await events
      .find(waiting, { projection: { _id: 1 }, sort: feedOrder, limit: numberedMax, session })
      .toArray();
    if (found.length === 0) return false;
    const options = { upsert: true, returnDocument: 'before', session } as const;
    const raise = { $inc: { lastNumber: found.length } };
    const before = await counters(store).findOneAndUpdate({ _id: account }, raise, options);
    const first = (before?.lastNumber ?? 0) + 1;
    const numbering = found.map(({ _id }, index) => ({
      updateOne: {
        filter: { _id, accountId: account },
        update: { $set: { number: first + index }, $unset: { isUnnumbered: '' as const } },
      },
    }));
    await events.bulkWrite(numbering, { session });
    return found.length === numberedMax;
  });
}

/** Events wait this long for a reader. Then they are numbered without one, because only numbered events expire. */
const unreadMs = 3_600_000;

/** Numbers events that no reader has asked for, of one account. Returns whether more may be waiting. */
export async function numberUnread(store: StoreConnection): Promise<boolean> {
  const old = { isUnnumbered: true, storedAt: { $lte: new Date(store.clock.now().getTime() - unreadMs) } } as const;
  const row = await eventRows(store).findOne(old, { projection: { accountId: 1 } });
  if (row === null) return false;
  await numberEvents(store, row.accountId);
  return true;
}

/** A slice of an account's events at one point in time. */
export interface EventSlice {
  /** In the order of their numbers. */
  readonly rows: readonly NumberedRow[];
  /** Number of the account's newest event, even if that was removed since; 0 before the first. */
  readonly lastNumber: number;
}

/**
 * The first `limit` events with a number above `after`, read from the primary with majority. Counter and rows are of one
 * snapshot. One transaction gives numbers and raises the counter, so a snapshot that has one event has all before it (protocol 13).
 */
export async function readEventSlice(
  store: StoreConnection,
  account: AccountId,
  { after, limit }: { after: number; limit: number },
): Promise<EventSlice> {
  const session = await store.connection.startSession({ snapshot: true });
  try {
    const counter = await counters(store).findOne({ _id: account }, { session });
    const rows = await eventRows(store)
      .find<NumberedRow>({ accountId: account, number: { $gt: after } }, { sort: { number: 1 }, limit, session })
      .toArray();
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
  const counter = await counters(store).findOne(
    { _id: account },
    { readPreference: 'primary', readConcern: { level: 'linearizable' }, maxTimeMS: confirmTimeoutMs },
  );
  return (counter?.lastNumber ?? 0) >= number;
}
