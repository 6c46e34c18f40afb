import { mongo } from 'mongoose';
import pLimit from 'p-limit';
import { itemId, type AccountId, type ItemId } from '../core/ids.ts';
import type { Item } from '../core/items/item.ts';
import type { StoreConnection } from './connection.ts';
import { itemFromRow, rowFromItem, type ItemRow } from './item-row.ts';
import { acceptedInsert, changeOf, type WriteOptions } from './item-writes.ts';
import { itemCollection } from './items.ts';

/** What is asked of an item that is not current any more. */
export type FormerItem = Pick<Item, 'id' | 'externalId' | 'revision' | 'sequence' | 'acceptedAt' | 'bulkMarks'>;

export interface ItemChange {
  /** As it was read; null for a new one. */
  readonly previous: Item | null;
  readonly next: Item;
}

/** Many items of one account at once. Reads are by majority. */
export interface ItemLineStore {
  /** The current items under the external ids, in no order. */
  findCurrent(account: AccountId, externalIds: readonly string[]): Promise<Item[]>;
  /** Those that had the external ids before, archived ones and tombstones, in no order: the newest {@link formersMax} of each at least. */
  findFormer(account: AccountId, externalIds: readonly string[]): Promise<FormerItem[]>;
  /** Current or not, in no order. */
  findByIds(account: AccountId, ids: readonly ItemId[]): Promise<Item[]>;
  /** Each as ItemStore's `insert` or `replace`, all in one go: those that took effect. Order and number as given, null for the others. */
  write(changes: readonly ItemChange[], options?: Pick<WriteOptions, 'isAccepted'>): Promise<(Item | null)[]>;
}

export function createItemLineStore(store: StoreConnection): ItemLineStore {
  const items = itemCollection(store);
  const find = async (filter: mongo.Filter<ItemRow>): Promise<Item[]> => {
    const rows = await items.find(filter, { readConcern: 'majority' }).toArray();
    return rows.map(itemFromRow);
  };
  return {
    findCurrent: (account, externalIds) =>
      find({ accountId: account, externalId: { $in: [...externalIds] }, current: true }),
    findFormer: (account, externalIds) => findFormer(items, account, externalIds),
    findByIds: (account, ids) => find({ _id: { $in: [...ids] }, accountId: account }),
    write: (changes, { isAccepted = false } = {}) => writeAll(items, changes, isAccepted),
  };
}

const formerFields = { externalId: 1, revision: 1, sequence: 1, acceptedAt: 1, bulkMarks: 1 } as const;
type FormerRow = Pick<ItemRow, '_id' | keyof typeof formerFields>;
type StoredFormer = Partial<FormerRow> & Omit<FormerRow, 'acceptedAt' | 'bulkMarks'>;

/**
 * Of one external id. The newest has the highest sequence and was accepted last; the one that an earlier attempt of a chunk wrote
 * is further back only when the item was deleted and pushed anew that often in the meantime.
 */
export const formersMax = 20;
const readsAtOnce = 8;

async function eachOf<Row>(ids: readonly string[], read: (id: string) => Promise<Row[]>): Promise<Row[]> {
  const limit = pLimit(readsAtOnce);
  const found = await Promise.all(ids.map((id) => limit(() => read(id))));
  return found.flat();
}

async function findFormer(
  items: mongo.Collection<ItemRow>,
  account: AccountId,
  externalIds: readonly string[],
): Promise<FormerItem[]> {
  if (externalIds.length === 0) return [];
  const read = (ids: readonly string[], limit: number): Promise<StoredFormer[]> =>
    items
      .find<StoredFormer>(
        { accountId: account, externalId: { $in: [...ids] }, current: false },
        // The order of the index, so that no more is read than is wanted.
        { readConcern: 'majority', projection: formerFields, sort: { externalId: 1, sequence: -1 }, limit },
      )
      .toArray();
  const limit = externalIds.length + formersMax;
  const together = await read(externalIds, limit);
  // Some id has been deleted again and again: as many of it as were read would keep the others' from being read.
  const rows = together.length < limit ? together : await eachOf(externalIds, (id) => read([id], formersMax));
  return rows.map(({ _id, acceptedAt = null, bulkMarks = [], ...row }) => ({
    ...row,
    id: itemId(_id),
    acceptedAt,
    bulkMarks,
  }));
}

interface Prepared {
  readonly stored: Item;
  readonly operation: mongo.AnyBulkWriteOperation<ItemRow>;
}

async function writeAll(
  items: mongo.Collection<ItemRow>,
  changes: readonly ItemChange[],
  isAccepted: boolean,
): Promise<(Item | null)[]> {
  if (changes.length === 0) return [];
  const prepared = changes.map((change) => prepare(change, isAccepted));
  const failed = await failedOf(items, prepared);
  return prepared.map(({ stored }, index) => (failed.has(index) ? null : stored));
}

function prepare({ previous, next }: ItemChange, isAccepted: boolean): Prepared {
  if (previous === null) return { stored: next, operation: insertOf(next, isAccepted) };
  const { stored, update } = changeOf(previous, next, isAccepted);
  const filter = { _id: previous.id, version: previous.version };
  // A bulk write tells only of errors which of its operations failed: one that finds another version than the one that was read
  // tries to insert, which this key forbids (never with another effect: a matched row is not given it).
  const operation = { updateOne: { filter, update: { ...update, $setOnInsert: { _id: '' } }, upsert: true } };
  return { stored, operation };
}

const insertOf = (item: Item, isAccepted: boolean): mongo.AnyBulkWriteOperation<ItemRow> =>
  isAccepted
    ? { updateOne: { filter: { _id: item.id }, update: acceptedInsert(item), upsert: true } }
    : { insertOne: { document: rowFromItem(item) } };

/** Somebody was faster: another item has the external id, or the row has another version by now. */
const duplicateKey = 11_000;
const immutableField = 66;

async function failedOf(items: mongo.Collection<ItemRow>, prepared: readonly Prepared[]): Promise<ReadonlySet<number>> {
  try {
    await items.bulkWrite(
      prepared.map(({ operation }) => operation),
      { ordered: false },
    );
    return new Set();
  } catch (error) {
    if (!(error instanceof mongo.MongoBulkWriteError) || error.result.getWriteConcernError() !== undefined) throw error;
    const errors = error.result.getWriteErrors();
    const isOvertaken =
      errors.length > 0 && errors.every(({ code }) => code === duplicateKey || code === immutableField);
    if (!isOvertaken) throw error;
    return new Set(errors.map(({ index }) => index));
  }
}
