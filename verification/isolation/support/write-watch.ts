import { setTimeout as pause } from 'node:timers/promises';
import type { StoreConnection } from '../../../platform/database/connection.ts';

/** A row as it was or is, as text; null when it was not there. */
export interface Write {
  readonly collection: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Everything that is written to the database, from whichever place, in its order. */
export interface WriteWatch {
  /** Writes up to now belong to the marks before it. Gives the number of the new mark. */
  mark(): Promise<number>;
  /** Waits until everything written so far has been seen. */
  catchUp(): Promise<void>;
  /** Seen between this mark and the next. */
  writesAfter(mark: number): readonly Write[];
  /** Every row there is, as it was seen last. */
  rows(): readonly { readonly collection: string; readonly text: string }[];
  close(): Promise<void>;
}

const marks = 'isolation_marks';

interface Change {
  readonly operationType: string;
  readonly ns?: { readonly coll: string };
  readonly documentKey?: { readonly _id: unknown };
  readonly fullDocument?: unknown;
}

export async function watchWrites(store: StoreConnection): Promise<WriteWatch> {
  const { db } = store.connection;
  if (db === undefined) throw new Error('the store is not open');
  await db.createCollection(marks);
  const stream = db.watch([], { fullDocument: 'updateLookup', maxAwaitTimeMS: 50 });
  const known = new Map<string, { collection: string; text: string }>();
  const writes: Write[][] = [[]];
  let last = 0;
  let seen = 0;
  let failure: unknown;
  let notify: () => void = () => undefined;
  const take = ({ operationType, ns, documentKey, fullDocument }: Change): void => {
    if (ns === undefined || documentKey === undefined) return;
    if (ns.coll === marks) {
      seen = Number(documentKey._id);
      writes[seen] = [];
      return notify();
    }
    const key = `${ns.coll}/${String(documentKey._id)}`;
    const before = known.get(key)?.text ?? null;
    const isGone = operationType === 'delete' || fullDocument == null;
    const after = isGone ? null : rowText(fullDocument);
    if (after === null) known.delete(key);
    else known.set(key, { collection: ns.coll, text: after });
    // Nothing is said by a write that only takes an account's turn.
    if (before !== after) writes[seen]?.push({ collection: ns.coll, before, after });
  };
  stream.on('change', (change) => take(change as Change));
  stream.on('error', (error) => {
    failure = error;
    notify();
  });
  const mark = async (): Promise<number> => {
    last += 1;
    await db.collection<{ _id: number }>(marks).insertOne({ _id: last }, { writeConcern: { w: 1 } });
    return last;
  };
  const catchUp = async (): Promise<void> => {
    const wanted = await mark();
    while (seen < wanted) {
      if (failure !== undefined) throw new Error('the writes can not be watched', { cause: failure });
      await new Promise<void>((resolve) => (notify = resolve));
    }
  };
  // The stream begins with what comes after it was opened, so it is open before the rows are read.
  while (seen === 0) {
    await mark();
    await pause(20);
    if (failure !== undefined) throw new Error('the writes can not be watched', { cause: failure });
  }
  for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray())
    for (const row of await db.collection(name).find().toArray())
      if (name !== marks) known.set(`${name}/${String(row._id)}`, { collection: name, text: rowText(row) });
  return {
    mark,
    catchUp,
    writesAfter: (number) => writes[number] ?? [],
    rows: () => [...known.values()],
    close: () => stream.close(),
  };
}

/**
 * Whether the row of this text says the account's id. A test key, and what was sent with it, names the owner of its sandbox beside
 * the sandbox, because they count against the owner's limits: they are rows of the sandbox.
 */
export const namesAccount = ({ collection, text }: { collection: string; text: string | null }, id: string): boolean =>
  (collection === 'accounts' ? text : text?.replaceAll(`"sandboxOf":"${id}"`, ''))?.includes(id) === true;

/**
 * Bytes are shown as the text that they are: the body of a delivery says much about its account. The turn of an account is left
 * out: it makes transactions follow one another and means nothing else (features/accounts/store/accounts.ts).
 */
export const rowText = (row: unknown): string =>
  JSON.stringify(row, function (this: Record<string, unknown>, key: string, value: unknown) {
    // Bytes have turned themselves into base64 by now.
    const raw = this[key];
    if (key === 'turn') return undefined;
    return isBytes(raw) ? Buffer.from(raw.buffer).toString('utf8') : value;
  });

function isBytes(value: unknown): value is { buffer: Uint8Array } {
  return typeof value === 'object' && value !== null && 'buffer' in value && value.buffer instanceof Uint8Array;
}
