import { Schema, mongo } from 'mongoose';
import { setTimeout as pause } from 'node:timers/promises';
import { defineCollection, rowsOf, type StoreConnection } from './connection.ts';

/** One message from a process to all others. */
interface ChannelRow<Entry> {
  readonly _id: mongo.ObjectId;
  readonly entries: readonly Entry[];
}

/** A received row. */
export interface Heard<Entry> {
  readonly id: string;
  readonly entries: readonly Entry[];
  /** false for a row that was stored before the listening began. */
  readonly isNew: boolean;
}

export interface Hearing<Entry> {
  readonly onRow: (heard: Heard<Entry>) => void;
  /** Called whenever the listening begins, after the rows that were stored before. */
  readonly onOpen: () => void;
  readonly signal: AbortSignal;
}

/**
 * Hints from process to process: a capped collection that each process follows by a tailable cursor. A hint may be
 * lost.
 */
export interface Channel<Entry> {
  /** Sends without waiting for the database. */
  readonly send: (store: StoreConnection, entries: readonly Entry[]) => void;
  /** Receives all rows until `signal` aborts. Never rejects. */
  readonly hear: (store: StoreConnection, hearing: Hearing<Entry>) => Promise<void>;
}

const unacknowledged = { writeConcern: { w: 0 } } as const;

/** The cursor's wait costs the server nothing; each end of a wait costs one command. */
const waitMaxMs = 10_000;
const reopenAfterMs = 250;

/** Defines the collection of a channel, next to the functions that use it. */
export function defineChannel<Entry>(name: string, bytesMax: number): Channel<Entry> {
  const schema = new Schema({ entries: [] }, { versionKey: false, capped: bytesMax });
  const model = defineCollection<ChannelRow<Entry>>(name, schema);
  const rows = (store: StoreConnection): mongo.Collection<ChannelRow<Entry>> => rowsOf(model(store));
  const insert = (store: StoreConnection, entries: readonly Entry[]): void => {
    const row: mongo.OptionalUnlessRequiredId<ChannelRow<Entry>> = { _id: new mongo.ObjectId(), entries };
    rows(store).insertOne(row, unacknowledged).catch(ignore);
  };
  return {
    send: insert,
    hear: async (store, hearing) => {
      const { signal } = hearing;
      // Only a new row ends the server's wait.
      const wake = (): void => insert(store, []);
      while (!signal.aborted) {
        signal.addEventListener('abort', wake, { once: true });
        await follow(rows(store), hearing).catch(ignore);
        signal.removeEventListener('abort', wake);
        await pause(reopenAfterMs, undefined, { signal }).catch(ignore);
      }
    },
  };
}

const ignore = (): void => undefined;

/**
 * Rows come in the order of their insertion; their ids depend on the clocks of the senders. Rejects when the primary
 * changes.
 */
async function follow<Entry>(
  rows: mongo.Collection<ChannelRow<Entry>>,
  { onRow, onOpen, signal }: Hearing<Entry>,
): Promise<void> {
  const first = new mongo.ObjectId();
  const options = { tailable: true, awaitData: true, maxAwaitTimeMS: waitMaxMs } as const;
  const cursor = rows.find({}, { ...options, readConcern: { level: 'local' } });
  let isNew = false;
  try {
    // The server ends a cursor on an empty collection at once.
    const row: mongo.OptionalUnlessRequiredId<ChannelRow<Entry>> = { _id: first, entries: [] };
    await rows.insertOne(row, { writeConcern: { w: 1 } });
    for await (const { _id, entries } of cursor) {
      if (signal.aborted) return;
      onRow({ id: _id.toHexString(), entries, isNew });
      if (!isNew && first.equals(_id)) {
        isNew = true;
        onOpen();
      }
    }
  } finally {
    cursor.close().catch(ignore);
  }
}
