import { mongo } from 'mongoose';
import type { AccountId } from '../../core/ids.ts';
import type { Item } from '../../core/items/item.ts';
import { findNewestFormer } from './former-items.ts';
import { asError, batchReads, batchWrites, type Eventually } from '../batching/batch.ts';
import { itemFromRow, type ItemRow } from './item-row.ts';
import {
  bulkWriteItems,
  changeOf,
  insertItem,
  prepareWrite,
  replaceItem,
  tookTooLong,
  type ItemChange,
  type PreparedWrite,
  type WriteOptions,
} from './item-writes.ts';

/** Options of a write that may be sent together with others. */
export interface GatheredOptions extends Pick<WriteOptions, 'isAccepted'> {
  /** Called right before each time the write is sent: nothing is written when it throws. */
  readonly confirm?: () => Promise<void>;
}

/** The reads and writes that every push makes. */
export interface BatchedItems {
  /** The current item as a majority of the replica set has it. */
  findCurrent(account: AccountId, externalId: string): Promise<Item | null>;
  /** The newest of the former items with the external id: archived ones and tombstones. */
  findPredecessor(account: AccountId, externalId: string): Promise<{ readonly sequence: number } | null>;
  /** false when the account already has a current item with that external id. */
  insert(item: Item, options?: GatheredOptions): Promise<boolean>;
  /**
   * Writes the differences by compare-and-set. Returns the stored item, or null when it has changed since `previous` was read.
   */
  replace(previous: Item, next: Item, options?: GatheredOptions): Promise<Item | null>;
}

interface BatchedWrite {
  readonly change: ItemChange;
  readonly isAccepted: boolean;
  readonly confirm: () => Promise<void>;
  /** Unique to this write: the row holds it once the write is stored. */
  readonly writeId: mongo.ObjectId;
}

/**
 * Batches the reads and writes of concurrent pushes. Only callers of the same object share batches, so a process has
 * one.
 */
export function batchedItems(
  items: mongo.Collection<ItemRow>,
  onStored: (item: Item) => void = () => undefined,
): BatchedItems {
  const current = batchReads<AccountId, Item>(async (accountId, externalIds) => {
    const filter = { accountId, externalId: { $in: [...externalIds] }, current: true };
    const rows = await items.find(filter).toArray();
    // A damaged row, or one of a newer version, fails only its own caller.
    return new Map(rows.map((row) => [row.externalId, attempt(() => itemFromRow(row))]));
  });
  const predecessors = batchReads((account: AccountId, ids) => findNewestFormer(items, account, ids));
  const gathered = batchWrites<BatchedWrite, Item | null>((writes) => writeGathered(items, writes));
  const write = async (change: ItemChange, { isAccepted = false, confirm = noQuestion }: GatheredOptions = {}) => {
    const stored = await gathered({ change, isAccepted, confirm, writeId: new mongo.ObjectId() });
    if (stored !== null) onStored(stored);
    return stored;
  };
  return {
    findCurrent: async (account, externalId) => (await current(account, externalId)) ?? null,
    findPredecessor: async (account, externalId) => (await predecessors(account, externalId)) ?? null,
    insert: async (item, options) => (await write({ previous: null, next: item }, options)) !== null,
    replace: (previous, next, options) => write({ previous, next }, options),
  };
}

const noQuestion = (): Promise<void> => Promise.resolve();

/** A bulk write that takes longer is given up, and its rows are written one by one. */
const togetherMaxMs = 2_000;

/** Sends the writes whose `confirm` succeeds when their turn has come. */
async function writeGathered(
  items: mongo.Collection<ItemRow>,
  writes: readonly BatchedWrite[],
): Promise<readonly Eventually<Item | null | Error>[]> {
  const refusals = await Promise.all(writes.map(refusalOf));
  const confirmed = writes.filter((_write, index) => refusals[index] === null);
  const outcomes = (await send(items, confirmed)).values();
  return refusals.map((refusal) => refusal ?? outcomes.next().value ?? null);
}

const refusalOf = ({ confirm }: BatchedWrite): Promise<Error | null> => confirm().then(() => null, asError);

/** A single write is sent alone. In a bulk, each write gets only its own error. */
async function send(
  items: mongo.Collection<ItemRow>,
  writes: readonly BatchedWrite[],
): Promise<readonly Eventually<Item | null | Error>[]> {
  const [only] = writes;
  if (only !== undefined && writes.length === 1) return [writeAlone(items, only).catch(asError)];
  const prepared = writes.map(({ change, ...how }) => attempt(() => prepareWrite(change, how)));
  const legal = prepared.filter((write): write is PreparedWrite => !(write instanceof Error));
  try {
    const outcomes = (await bulkWriteItems(items, legal, { maxTimeMS: togetherMaxMs })).values();
    return prepared.map((write) => (write instanceof Error ? write : (outcomes.next().value ?? null)));
  } catch (error) {
    // One write waits for a lock, the connection was lost, or one can't be encoded. Sent alone, it does not affect the
    // others.
    if (tookTooLong(error) || !(error instanceof mongo.MongoBulkWriteError))
      return writes.map((write) => writeOnce(items, write).catch(asError));
    throw error;
  }
}

/** Repeats a write after a bulk with an unknown outcome. A write that is stored already must not count as another caller's. */
async function writeOnce(items: mongo.Collection<ItemRow>, write: BatchedWrite): Promise<Item | null> {
  const refusal = await refusalOf(write);
  const written = refusal === null ? await writeAlone(items, write) : null;
  if (written !== null) return written;
  const found = await findWritten(items, write);
  if (found === null && refusal !== null) throw refusal;
  return found;
}

/** Finds a write that is stored already: a new item by its id, a caller's change by its write id. Others are decided again. */
async function findWritten(
  items: mongo.Collection<ItemRow>,
  { change: { previous, next }, isAccepted, writeId }: BatchedWrite,
): Promise<Item | null> {
  if (previous === null || !isAccepted) return null;
  const found = await items.findOne({ _id: next.id, writeIds: writeId }, { projection: { _id: 1 } });
  return found && changeOf(previous, next, isAccepted).stored;
}

async function writeAlone(
  items: mongo.Collection<ItemRow>,
  { change: { previous, next }, isAccepted }: BatchedWrite,
): Promise<Item | null> {
  if (previous !== null) return replaceItem(items, { previous, next }, { isAccepted });
  return (await insertItem(items, next, { isAccepted })) ? next : null;
}

function attempt<Result>(work: () => Result): Result | Error {
  try {
    return work();
  } catch (error) {
    return asError(error);
  }
}
