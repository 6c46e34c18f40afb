import { mongo } from 'mongoose';
import type { Item } from '../../core/items/item.ts';
import { duplicateKey } from '../database/connection.ts';
import type { ItemRow } from './item-row.ts';
import { changeOf, insertOf } from './item-writes.ts';

export interface ItemChange {
  /** The item as it was read; null for a new item. */
  readonly previous: Item | null;
  readonly next: Item;
}

/** One compare-and-set, as an operation of a bulk write. */
export interface PreparedWrite {
  readonly stored: Item;
  readonly operation: mongo.AnyBulkWriteOperation<ItemRow>;
  /** Error code when another write was faster: another item has the external id, or the row has another version by now. */
  readonly lostWith: number;
}

/** Throws IllegalTransition. A caller's change stores its `writeId`, so that it can be found again. */
export function prepareWrite(
  { previous, next }: ItemChange,
  { isAccepted, writeId }: { readonly isAccepted: boolean; readonly writeId?: mongo.ObjectId },
): PreparedWrite {
  if (previous === null) return { stored: next, operation: upsertOf(next, isAccepted), lostWith: duplicateKey };
  const { stored, update } = changeOf(previous, next, isAccepted);
  const name = isAccepted && writeId !== undefined ? signedWith(writeId) : {};
  const operation = strictUpdate({ _id: previous.id, version: previous.version }, { ...update, ...name });
  return { stored, operation, lostWith: foundNothing };
}

/** More changes than callers make to one item while the outcome of a write is unknown. */
const writeIdsMax = 5;

const signedWith = (writeId: mongo.ObjectId) => ({
  $push: { writeIds: { $each: [writeId], $slice: -writeIdsMax } },
});

/** Error code of {@link strictUpdate}: the row that it would insert has another key than its filter. */
export const foundNothing = 66;

/**
 * An update that fails when no row matches, because a bulk write names only operations that fail with an error. Without a match
 * it tries to insert a row, which the other key forbids. A row that matches never gets that key.
 */
export const strictUpdate = (
  filter: { readonly _id: string } & Partial<ItemRow>,
  update: Omit<mongo.UpdateFilter<ItemRow>, '$setOnInsert'>,
): mongo.AnyBulkWriteOperation<ItemRow> => ({
  updateOne: { filter, update: { ...update, $setOnInsert: { _id: '' } }, upsert: true },
});

const upsertOf = (item: Item, isAccepted: boolean): mongo.AnyBulkWriteOperation<ItemRow> => ({
  updateOne: { filter: { _id: item.id }, update: insertOf(item, isAccepted), upsert: true },
});

/**
 * Writes all items in one bulk. Returns for each the stored item, null when another write was faster, or its own error. Throws
 * when the outcome of the writes is unknown.
 */
export async function bulkWriteItems(
  items: mongo.Collection<ItemRow>,
  prepared: readonly PreparedWrite[],
  options: BulkOptions = {},
): Promise<(Item | null | Error)[]> {
  const failures = await failuresOf(
    items,
    prepared.map(({ operation }) => operation),
    options,
  );
  return prepared.map(({ stored, lostWith }, index) => {
    const failure = failures.get(index);
    if (failure === undefined) return stored;
    return failure.code === lostWith ? null : errorOf(failure);
  });
}

export type BulkOptions = Pick<mongo.BulkWriteOptions, 'writeConcern' | 'ignoreUndefined' | 'maxTimeMS'>;

/** The error with which the same write alone would have failed. */
export const errorOf = ({ code, errmsg = 'one of many writes failed' }: mongo.WriteError): Error =>
  new mongo.MongoServerError({ message: errmsg, code });

/** The bulk most likely waited for a row that a transaction has locked. The operations behind that row were not tried. */
export const tookTooLong = (error: unknown): boolean =>
  error instanceof mongo.MongoServerError && error.code === maxTimeExpired;
const maxTimeExpired = 50;

/** The operations that failed by themselves, by their index. Throws when the outcome of the others is unknown. */
export async function failuresOf<Row extends mongo.Document>(
  rows: mongo.Collection<Row>,
  operations: readonly mongo.AnyBulkWriteOperation<Row>[],
  options: BulkOptions = {},
): Promise<ReadonlyMap<number, mongo.WriteError>> {
  if (operations.length === 0) return new Map();
  try {
    await rows.bulkWrite([...operations], { ...options, ordered: false });
    return new Map();
  } catch (error) {
    if (!(error instanceof mongo.MongoBulkWriteError) || !wasCarriedOut(error)) throw error;
    return new Map(error.result.getWriteErrors().map((failure) => [failure.index, failure]));
  }
}

/**
 * Whether every operation was tried, and those without an error of their own are durable. A bulk write may be sent as several
 * commands. When a later command is cut off, the failures of earlier ones are in the error's result but not in its `writeErrors`.
 */
const wasCarriedOut = ({ writeErrors, result }: mongo.MongoBulkWriteError): boolean =>
  [writeErrors].flat().length > 0 && result.getWriteConcernError() === undefined;
