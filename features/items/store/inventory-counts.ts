import { Schema, type ClientSession, type mongo } from 'mongoose';
import {
  countedClasses,
  inventoryClasses,
  noItems,
  plusItems,
  type InventoryClass,
  type ItemCounts,
} from '../../partner/rules/analytics.ts';
import { groupBy } from '../../rules/group-by.ts';
import type { AccountId } from '../../rules/ids.ts';
import { defineCollection, rowsOf, type StoreConnection } from '../../../platform/database/connection.ts';
import type { ItemRow } from './item-row.ts';
import { itemCollection, uncountedIndex } from './item-collection.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';

/**
 * The number of an account's items in each class: at every moment the sum of `countedAs` over its items. An item's
 * write stays one compare-and-set of one document; it marks the item as uncounted when its class changes. A reader adds
 * the marked items. `countUncounted` moves them into the tally, so that they stay few. A class without items ever is
 * absent.
 */
export interface InventoryCountsRow extends Partial<ItemCounts> {
  readonly _id: AccountId;
}

const schema = new Schema(
  {
    _id: { type: String, required: true },
    draft: Number,
    active: Number,
    sold: Number,
    not_listed: Number,
    archived: Number,
  },
  { versionKey: false, strict: 'throw' },
);
export const inventoryCounts = defineCollection<InventoryCountsRow>('inventory_counts', schema);

const countsCollection = 'inventory_counts';

/** Number of marked items that are counted in one class and belong to another now. */
interface Move {
  readonly _id: { readonly from: InventoryClass; readonly to: InventoryClass };
  readonly count: number;
}

/** The items of an account by class; see {@link readItemCountsOf}. */
export const readItemCounts = (store: StoreConnection, account: AccountId): Promise<ItemCounts> =>
  readItemCountsOf(store, [account]);

/**
 * The items of these accounts together by class, exact at one moment, and including every write acknowledged before the call: the
 * tallies and the marks are read in one snapshot. The cost depends on the number of accounts and of marked items, not on the
 * number of items.
 */
export async function readItemCountsOf(store: StoreConnection, accounts: readonly AccountId[]): Promise<ItemCounts> {
  const found = await itemCollection(store)
    .aggregate<Move | InventoryCountsRow>(
      [
        { $match: { isUncounted: true, accountId: { $in: [...accounts] } } },
        { $group: { _id: { from: classIn('$countedAs'), to: classIn('$inventoryClass') }, count: { $sum: 1 } } },
        { $unionWith: { coll: countsCollection, pipeline: [{ $match: { _id: { $in: [...accounts] } } }] } },
      ],
      { readConcern: { level: 'snapshot' }, hint: uncountedIndex },
    )
    .toArray();
  return found.reduce<ItemCounts>(
    (counts, part) => ('count' in part ? moved(counts, part) : add(counts, part)),
    noItems,
  );
}

/** An item that was stored before the tally existed has no such field and counts nowhere. */
const classIn = (field: string) => ({ $ifNull: [field, 'none'] });

const add = (counts: ItemCounts, row: InventoryCountsRow): ItemCounts =>
  countedClasses.reduce((sum, name) => plusItems(sum, name, row[name] ?? 0), counts);

const moved = (counts: ItemCounts, { _id: { from, to }, count }: Move): ItemCounts =>
  plusItems(plusItems(counts, from, -count), to, count);

/** The tally without the marked items, read in a transaction. */
export async function readTally(
  store: StoreConnection,
  account: AccountId,
  session: ClientSession,
): Promise<ItemCounts> {
  const row = await inventoryCounts(store).findById(account, null, { session }).lean<InventoryCountsRow>().exec();
  return row === null ? noItems : add(noItems, row);
}

export interface CountingOptions {
  /** Small, because a write of an item waits while the transaction that counts it is open. */
  readonly itemsMax?: number;
  /** Called for an account that can't be counted; the round then continues with the next. Without it the round ends there. */
  readonly onFailure?: (account: AccountId, error: unknown) => void;
}

const usualItemsMax = 100;

const endRound = (_account: AccountId, error: unknown): never => {
  throw error;
};

/**
 * One round over all accounts with marked items. Each account gets one transaction for up to `itemsMax` items. So each item is
 * counted exactly once, even when other processes count as well. Returns whether more items are waiting.
 */
export async function countUncounted(
  store: StoreConnection,
  { itemsMax = usualItemsMax, onFailure = endRound }: CountingOptions = {},
): Promise<boolean> {
  let isMoreWaiting = false;
  let account = await nextAccount(store, '');
  while (account !== null) {
    try {
      const counted = await countOfAccount(store, account, itemsMax);
      isMoreWaiting ||= counted >= itemsMax;
    } catch (error) {
      onFailure(account, error);
    }
    account = await nextAccount(store, account);
  }
  return isMoreWaiting;
}

async function nextAccount(store: StoreConnection, after: string): Promise<AccountId | null> {
  const row = await itemCollection(store).findOne(
    { isUncounted: true, accountId: { $gt: after } },
    { projection: { _id: 0, accountId: 1 }, sort: { accountId: 1 }, hint: uncountedIndex },
  );
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- the driver's rows carry ids as text
  return row === null ? null : (row.accountId as AccountId);
}

function countOfAccount(store: StoreConnection, account: AccountId, itemsMax: number): Promise<number> {
  const items = itemCollection(store);
  return inTransaction(store, async (session) => {
    const found = await items
      .find({ isUncounted: true, accountId: account }, { session, hint: uncountedIndex, limit: itemsMax })
      .project<StoredRow>({ inventoryClass: 1, countedAs: 1 })
      .toArray();
    const rows = found.map((row): UncountedRow => ({ inventoryClass: 'none', countedAs: 'none', ...row }));
    if (rows.length === 0) return 0;
    await unmark(items, { account, rows }, session);
    const moves = rows.map(({ countedAs, inventoryClass }) => ({
      accountId: account,
      from: countedAs,
      to: inventoryClass,
    }));
    await changeTallies(store, moves, session);
    return rows.length;
  });
}

type UncountedRow = Pick<ItemRow, '_id' | 'inventoryClass' | 'countedAs'>;
/** See {@link classIn}. */
type StoredRow = Pick<ItemRow, '_id'> & Partial<UncountedRow>;

/** A write of an item since the snapshot restarts the transaction, so no item is counted in a class that it has left. */
async function unmark(
  items: mongo.Collection<ItemRow>,
  { account, rows }: { readonly account: AccountId; readonly rows: readonly UncountedRow[] },
  session: ClientSession,
): Promise<void> {
  const idsOf = (name: InventoryClass): string[] =>
    rows.filter((row) => row.inventoryClass === name).map((row) => row._id);
  const classes = inventoryClasses.filter((name) => idsOf(name).length > 0);
  await items.bulkWrite(
    classes.map((countedAs) => ({
      updateMany: {
        filter: { accountId: account, _id: { $in: idsOf(countedAs) } },
        update: { $set: { countedAs }, $unset: { isUncounted: '' as const } },
      },
    })),
    { session },
  );
}

/** An item that leaves one class of its account's tally for another. */
export interface CountMove {
  readonly accountId: AccountId;
  readonly from: InventoryClass;
  readonly to: InventoryClass;
}

/** Changes the tallies of all accounts that the moves name, in one command. */
export async function changeTallies(
  store: StoreConnection,
  moves: readonly CountMove[],
  session: ClientSession,
): Promise<void> {
  const operations = [...groupBy(moves, ({ accountId }) => accountId)].flatMap(([account, own]) => {
    const by = own.reduce((counts, { from, to }) => plusItems(plusItems(counts, from, -1), to, 1), noItems);
    const changes = Object.fromEntries(Object.entries(by).filter(([, change]) => change !== 0));
    if (Object.keys(changes).length === 0) return [];
    return [{ updateOne: { filter: { _id: account }, update: { $inc: changes }, upsert: true } }];
  });
  if (operations.length > 0) await tallyRows(store).bulkWrite(operations, { session });
}

const tallyRows = (store: StoreConnection) => rowsOf(inventoryCounts(store));
