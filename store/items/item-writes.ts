import { mongo, type ClientSession } from 'mongoose';
import type { Item } from '../../core/items/item.ts';
import { isAtRest } from '../../core/items/owed-work.ts';
import { requireLegalTransition } from '../../core/items/transitions.ts';
import { batchReads } from '../batching/batch.ts';
import { duplicateKey, isDuplicateKey, type StoreConnection } from '../database/connection.ts';
import { inTransaction } from '../database/transaction.ts';
import { inheritTerms } from './item-list-fields.ts';
import { changedFields, inheritAttributes, isUnstamped, rowFromItem, type ItemRow } from './item-row.ts';

export interface WriteOptions {
  /** A caller's write: the database stamps `acceptedAt` with its own time. */
  readonly isAccepted?: boolean;
  readonly session?: ClientSession;
}

/** The update operators that insert a new item. */
export interface RowInsert {
  readonly $setOnInsert: Omit<ItemRow, '_id' | 'acceptedAt' | 'changedAt'> & Partial<Pick<ItemRow, 'acceptedAt'>>;
  readonly $currentDate: Stamps;
}

export interface RowChange {
  readonly stored: Item;
  readonly update: { readonly $set: Partial<ItemRow>; readonly $currentDate?: Stamps };
}

/** Fields that get the time of the database. */
type Stamps = Readonly<Partial<Record<'acceptedAt' | 'changedAt' | 'owedSince' | 'outboxAt', true>>>;

/**
 * Fields that callers see, besides the content. A change of one of them sets `changedAt`, even when `updatedAt` stays.
 */
const shown: ReadonlySet<string> = new Set<keyof ItemRow>([
  ...(['extendedAttributes', 'enrichment', 'imageSet', 'listings'] as const),
  ...(['serviceStatus', 'marketplaceStatus', 'quantityLeft', 'removedAt', 'updatedAt'] as const),
]);

/**
 * Owed, not in the backlog, and not waiting. An item that rests with a problem has a date as well, but owes nothing.
 */
const isOwed = (item: Item): boolean =>
  item.due !== null && item.due.by !== 'backlog' && item.processing.waitingFor === null && !isAtRest(item);

/** An upsert, because only that can set a new row's times by the database's clock. A new item already carries an event. */
function insertOf(item: Item, isAccepted: boolean): RowInsert {
  const { _id, acceptedAt, changedAt: _changedAt, ...row } = rowFromItem(item);
  const stamps: Stamps = { changedAt: true, ...(isAccepted && { acceptedAt: true }), ...outboxStamp(item) };
  return { $setOnInsert: isAccepted ? row : { ...row, acceptedAt }, $currentDate: stamps };
}

const outboxStamp = ({ outbox }: Item, before?: Item): Stamps =>
  outbox !== before?.outbox && outbox.some(isUnstamped) ? { outboxAt: true } : {};

/** The database refuses an operator without fields. */
const asOperator = (stamps: Stamps): { readonly $currentDate?: Stamps } =>
  Object.keys(stamps).length > 0 ? { $currentDate: stamps } : {};

/** The differences between two versions of an item. Throws IllegalTransition. */
export function changeOf(previous: Item, next: Item, isAccepted: boolean): RowChange {
  requireLegalTransition(previous, next);
  const stored: Item = { ...next, version: previous.version + 1 };
  inheritTerms(stored, previous);
  inheritAttributes(stored, previous);
  const isStamped = (name: string): boolean => name === 'changedAt' || (isAccepted && name === 'acceptedAt');
  const changed = changedFields(previous, stored).filter(([name]) => !isStamped(name));
  // Marked whatever the tally has done since `previous` was read, so that the item is counted again.
  const isToCount = changed.some(([name]) => name === 'inventoryClass');
  const stamps: Stamps = {
    ...(isAccepted && { acceptedAt: true }),
    ...(changed.some(([name]) => isShown(name)) && { changedAt: true }),
    ...(isOwed(next) && !isOwed(previous) && { owedSince: true }),
    ...outboxStamp(next, previous),
  };
  const $set = { ...Object.fromEntries(changed), ...(isToCount && { isUncounted: true as const }) };
  return { stored, update: { $set, ...asOperator(stamps) } };
}

const isShown = (name: string): boolean => shown.has(name) || name.startsWith('content.');

/** Inserts a new item. Returns false when the account already has a current item with its external id. */
export async function insertItem(
  items: mongo.Collection<ItemRow>,
  item: Item,
  { isAccepted = false }: WriteOptions,
): Promise<boolean> {
  try {
    await items.updateOne({ _id: item.id }, insertOf(item, isAccepted), { upsert: true });
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

/** Writes the differences by compare-and-set. Returns null when the row has changed since `previous` was read. */
export async function replaceItem(
  items: mongo.Collection<ItemRow>,
  { previous, next }: { readonly previous: Item; readonly next: Item },
  { isAccepted = false, session }: WriteOptions,
): Promise<Item | null> {
  const { stored, update } = changeOf(previous, next, isAccepted);
  const options = session === undefined ? {} : { session };
  const result = await items.updateOne({ _id: previous.id, version: previous.version }, update, options);
  return result.matchedCount === 1 ? stored : null;
}

export interface ItemChange {
  /** The item as it was read; null for a new item. */
  readonly previous: Item | null;
  readonly next: Item;
}

/** One compare-and-set, as an operation of a bulk write. */
export interface PreparedWrite {
  readonly stored: Item;
  readonly operation: mongo.AnyBulkWriteOperation<ItemRow>;
  /**
   * The error code that means another write was first: another item has the external id, or the row has another
   * version.
   */
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

/** More than a caller changes one item while the outcome of a write is unknown. */
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

export interface ItemProof {
  /**
   * Whether the item is unchanged since it was read, at some moment after the call. It must be true before "unchanged" is
   * answered: a primary that is cut off does not notice for seconds, and its majority reads are equally stale.
   */
  isStill(item: Pick<Item, 'id' | 'version'>): Promise<boolean>;
}

/**
 * Reads the versions in one transaction for all concurrent calls. To commit a transaction without writes, MongoDB
 * writes an entry of its own and waits for a majority, which only the present primary gets. A linearizable read gives
 * the same without the journal, but takes 100 ms.
 */
export function itemProof(store: StoreConnection, items: mongo.Collection<ItemRow>): ItemProof {
  const versions = batchReads<'', number>(async (_group, ids) => {
    const rows = await inTransaction(store, (session) =>
      items.find({ _id: { $in: [...ids] } }, { projection: { version: 1 }, session }).toArray(),
    );
    return new Map(rows.map(({ _id, version }) => [_id, version]));
  });
  return { isStill: async ({ id, version }) => (await versions('', id)) === version };
}
