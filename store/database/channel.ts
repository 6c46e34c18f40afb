import { Schema, mongo } from 'mongoose';
import { setTimeout as pause } from 'node:timers/promises';
import { defineCollection, rowsOf, type StoreConnection } from './connection.ts';

/** What one process tells all others at once. */
interface ChannelRow<Entry> {
  readonly _id: mongo.ObjectId;
  readonly entries: readonly Entry[];
}

/** A row as it is heard. */
export interface Heard<Entry> {
  readonly id: string;
  readonly entries: readonly Entry[];
  /** false for a row that was there before the hearing began. */
  readonly isNew: boolean;
}

export interface Hearing<Entry> {
  readonly onRow: (heard: Heard<Entry>) => void;
  /** Called whenever the hearing begins, once what was there before has been heard. */
  readonly onOpen: () => void;
  readonly signal: AbortSignal;
}

/** Hints from process to process: a capped collection that is followed by a tailable cursor. A hint may get lost. */
export interface Channel<Entry> {
  /** Nothing waits for it. */
  readonly send: (store: StoreConnection, entries: readonly Entry[]) => void;
  /** Hears all rows until `signal` ends it. Never rejects. */
  readonly hear: (store: StoreConnection, hearing: Hearing<Entry>) => Promise<void>;
}

const unacknowledged = { writeConcern: { w: 0 } } as const;

/** Waiting costs the server nothing, and one command each time it is over. */
const waitMaxMs = 10_000;
const reopenAfterMs = 250;

/** Defines the collection of a channel, beside the functions that use it. */
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
      // Nothing but a row ends the server's waiting.
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

/** In the order in which the rows came: ids tell the time of the sending processes' clocks. Rejects when the primary changes. */
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
