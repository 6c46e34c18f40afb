import { Schema, mongo } from 'mongoose';
import { setTimeout as pause } from 'node:timers/promises';
import { defineCollection, rowsOf, type StoreConnection } from '../database/connection.ts';
import type { DueLine } from './due-rows.ts';

/** One ring: lines that have work since a moment ago. */
interface RingRow {
  readonly _id: mongo.ObjectId;
  readonly lines: readonly DueLine[];
}

const bytesMax = 1_048_576;
const schema = new Schema({ lines: [] }, { versionKey: false, capped: bytesMax });
const model = defineCollection<RingRow>('doorbell', schema);

/** Tells the dispatchers that a line has work. Only a hint: they also look by themselves every two seconds. */
export type Ring = (line: DueLine) => void;

/** A process rings at most this often: what is due meanwhile goes into the next ring. */
const betweenRingsMs = 20;
/** More lines than this are found by looking. */
const linesMax = 200;

const unacknowledged = { writeConcern: { w: 0 } } as const;

/** A process's end of the doorbell. Nothing waits for a ring, and a lost one costs two seconds. */
export function createDoorbell(store: StoreConnection): { readonly ring: Ring; readonly close: () => void } {
  const rings = rowsOf(model(store));
  const lines = new Map<string, DueLine>();
  let timer: NodeJS.Timeout | undefined;
  const send = (): void => {
    timer = undefined;
    if (lines.size === 0) return;
    const row = { _id: new mongo.ObjectId(), lines: [...lines.values()] };
    lines.clear();
    timer = setTimeout(send, betweenRingsMs);
    rings.insertOne(row, unacknowledged).catch(() => undefined);
  };
  return {
    ring: (line) => {
      if (lines.size < linesMax) lines.set(`${line.kind} ${line.by} ${line.key}`, line);
      // The first one of a while goes out at once, with what else is written in this turn.
      timer ??= setTimeout(send, 0);
    },
    close: () => clearTimeout(timer),
  };
}

/** Waiting costs the server nothing, and one command each time it is over. */
const waitMaxMs = 10_000;
const reopenAfterMs = 250;

/**
 * Hears all rings until `signal` ends it. `onOpen` is called whenever it begins to hear: what was rung before is not heard. Never
 * rejects.
 */
export async function hearRings(
  store: StoreConnection,
  { onRing, onOpen, signal }: { onRing: Ring; onOpen: () => void; signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    const rings = rowsOf(model(store));
    const first = { _id: new mongo.ObjectId(), lines: [] };
    const options = { tailable: true, awaitData: true, maxAwaitTimeMS: waitMaxMs } as const;
    const cursor = rings.find({}, { ...options, readConcern: { level: 'local' } });
    // Nothing but a ring ends the server's waiting.
    const wake = (): void =>
      void rings.insertOne({ _id: new mongo.ObjectId(), lines: [] }, unacknowledged).catch(() => undefined);
    signal.addEventListener('abort', wake, { once: true });
    try {
      // The server ends a cursor on an empty collection at once.
      await rings.insertOne(first, { writeConcern: { w: 1 } });
      onOpen();
      await hear(cursor, { from: first._id, onRing, signal });
    } catch {
      // The primary has changed: the cursor is opened again.
    } finally {
      signal.removeEventListener('abort', wake);
      cursor.close().catch(() => undefined);
    }
    await pause(reopenAfterMs, undefined, { signal }).catch(() => undefined);
  }
}

/** In the order in which they came: ids tell the time of the ringing processes' clocks. */
async function hear(
  cursor: AsyncIterable<RingRow>,
  { from, onRing, signal }: { from: mongo.ObjectId; onRing: Ring; signal: AbortSignal },
): Promise<void> {
  let isNew = false;
  for await (const { _id, lines } of cursor) {
    if (signal.aborted) return;
    if (isNew) lines.forEach(onRing);
    isNew ||= _id.equals(from);
  }
}
