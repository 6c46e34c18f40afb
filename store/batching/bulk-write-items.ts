import { mongo } from 'mongoose';
import type { Item } from '../../core/items/item.ts';
import { duplicateKey } from '../database/connection.ts';
import type { ItemRow } from '../items/item-row.ts';
import { changeOf, insertOf } from '../items/item-writes.ts';

export interface ItemChange {
  /** As it was read; null for a new one. */
  readonly previous: Item | null;
  readonly next: Item;
}

/** One compare-and-set, as an operation that a bulk write can hold among others. */
export interface PreparedWrite {
  readonly stored: Item;
  readonly operation: mongo.AnyBulkWriteOperation<ItemRow>;
  /** What the database says when somebody was faster: another item has the external id, or the row has another version by now. */
  readonly lostWith: number;
}

/** Throws IllegalTransition. With a `writeId`, a change of a caller is found again by it. */
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

/** More than callers change one item while the fate of a write is in doubt. */
const writeIdsMax = 5;

const signedWith = (writeId: mongo.ObjectId) => ({
  $push: { writeIds: { $each: [writeId], $slice: -writeIdsMax } },
});

/** What {@link strictUpdate} fails with: its key can't be changed to that of the row that it would insert. */
export const foundNothing = 66;

/**
 * An update that fails when it finds nothing. A bulk write tells only of errors which of its operations failed: one that finds no
 * row tries to insert one, which this key forbids (never with another effect: a row that matches is not given it).
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
 * All in one go: of each the stored item, null when somebody was faster, or the error that it alone met. Throws when nobody
 * knows what became of them.
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

/** As the same write alone would have failed. */
export const errorOf = ({ code, errmsg = 'one of many writes failed' }: mongo.WriteError): Error =>
  new mongo.MongoServerError({ message: errmsg, code });

/** It held a row that somebody's transaction has locked, most likely: the others behind it were not tried. */
export const tookTooLong = (error: unknown): boolean =>
  error instanceof mongo.MongoServerError && error.code === maxTimeExpired;
const maxTimeExpired = 50;

/** Of those that failed by themselves, by their place. Throws when nobody knows what became of the others. */
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
 * Whether every operation was tried, and those without an error of their own are safe. A bulk write may go out as several
 * commands, and what cuts the second off comes with the failures of the first: only the error has none of them then, its result has.
 */
const wasCarriedOut = ({ writeErrors, result }: mongo.MongoBulkWriteError): boolean =>
  [writeErrors].flat().length > 0 && result.getWriteConcernError() === undefined;
