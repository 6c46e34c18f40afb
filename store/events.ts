import { Schema, type ClientSession } from 'mongoose';

import type { AccountId, EventId, ItemId } from '../core/ids.ts';
import type { OutboxEntry } from '../core/items/item.ts';
import type { EventType } from '../core/events/event-types.ts';
import { defineCollection, type StoreConnection } from './connection.ts';

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
  readonly storedAt: Date;
}

const keptSeconds = 30 * 24 * 3_600;

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
    storedAt: Date,
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
}

/** Which of the ids are stored already: their transaction has happened. */
export async function findStoredEventIds(
  store: StoreConnection,
  ids: readonly EventId[],
  session: ClientSession,
): Promise<Set<EventId>> {
  const rows = await model(store)
    .find({ _id: { $in: [...ids] } }, { _id: 1 }, { session })
    .lean();
  return new Set(rows.map((row) => row._id));
}

/** Inserts an account's events with its next numbers, in order. Runs inside the transaction that also makes the deliveries. */
export async function insertEvents(
  store: StoreConnection,
  account: AccountId,
  options: { events: readonly DueEvent[]; now: Date; session: ClientSession },
): Promise<void> {
  const { events, now, session } = options;
  const counter = await counterModel(store)
    .findOneAndUpdate(
      { _id: account },
      { $inc: { lastNumber: events.length } },
      { upsert: true, returnDocument: 'after', session },
    )
    .lean();
  const first = counter.lastNumber - events.length + 1;
  const rows = events.map(({ entry, itemId, externalId }, index): EventRow => ({
    _id: entry.eventId,
    accountId: account,
    number: first + index,
    type: entry.type,
    itemId,
    externalId,
    sequence: entry.sequence,
    data: entry.data,
    occurredAt: entry.occurredAt,
    storedAt: now,
  }));
  await model(store).insertMany(rows, { session, ordered: true });
}
