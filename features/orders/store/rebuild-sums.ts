import type { ClientSession, PipelineStage } from 'mongoose';
import {
  contributionOf,
  countedClasses,
  inventoryClass,
  noItems,
  plusItems,
  type Contribution,
  type InventoryClass,
} from '../../partner/rules/analytics.ts';
import type { AccountId } from '../../rules/ids.ts';
import type { CommissionContribution } from '../rules/commission.ts';
import type { StoreConnection } from '../../../platform/database/connection.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { inventoryCounts, readTally } from '../../items/store/inventory-counts.ts';
import type { ItemRow } from '../../items/store/item-row.ts';
import { itemCollection } from '../../items/store/item-collection.ts';
import { commissionRowId, commissionSums, isWaitingRow, summed, type Grouped } from './commission-sums.ts';
import { orderSums, readOrderSums, rowIdOf } from './order-sums.ts';
import { orderRows, type OrderRow } from './orders.ts';

// Compares the stored sums of an account with its orders and items, and rebuilds differing ones. It may run while the account
// works. Sums are compared in one snapshot, and a concurrent write restarts one of the two transactions. An item is marked only
// in the version that was compared.

interface RebuildOptions {
  /** Compares without correcting. */
  readonly dryRun: boolean;
}

const repair: RebuildOptions = { dryRun: false };

/** Rebuilds the order sums of an account from its orders. Returns the number of places that were wrong. */
export function rebuildOrderSums(store: StoreConnection, account: AccountId, { dryRun } = repair): Promise<number> {
  return inTransaction(store, async (session) => {
    const [stored, right] = [await readOrderSums(store, account, session), await sumOrders(store, account, session)];
    const wrong = placesThatDiffer(stored, right);
    if (wrong === 0 || dryRun) return wrong;
    await orderSums(store).deleteMany({ accountId: account }, { session });
    const rows = right.map((place) => ({ _id: rowIdOf(account, place, 0), accountId: account, ...place }));
    await orderSums(store).insertMany(rows, { session });
    return wrong;
  });
}

/** A place with no orders left equals a place without rows. */
function placesThatDiffer(some: readonly Contribution[], others: readonly Contribution[]): number {
  const textOf = ({ month, category, orders, grossOre, feeOre }: Contribution): string =>
    JSON.stringify([month, category, orders, grossOre, feeOre]);
  const [one, other] = [some, others].map((places) => new Set(places.filter(({ orders }) => orders !== 0).map(textOf)));
  const missingIn = (found: Set<string> = new Set(), wanted: Set<string> = new Set()): number =>
    [...wanted].filter((text) => !found.has(text)).length;
  return Math.max(missingIn(one, other), missingIn(other, one));
}

/** Orders of one state, category and month, summed by the server. */
interface OrderGroup {
  readonly _id: Pick<OrderRow, 'state' | 'category'>;
  readonly completedAt: Date | null;
  readonly orders: number;
  readonly amountOre: number;
  readonly feeOre: number;
}

const byPlace: PipelineStage.Group = {
  $group: {
    _id: {
      state: '$state',
      category: { $cond: [{ $eq: ['$state', 'completed'] }, '$category', ''] },
      month: { $dateToString: { date: '$completedAt', format: '%Y-%m', timezone: 'Europe/Stockholm' } },
    },
    completedAt: { $min: '$completedAt' },
    orders: { $sum: 1 },
    amountOre: { $sum: '$amountOre' },
    feeOre: { $sum: '$feeOre' },
  },
};

async function sumOrders(store: StoreConnection, account: AccountId, session: ClientSession): Promise<Contribution[]> {
  const groups = await orderRows(store)
    .aggregate<OrderGroup>([{ $match: { accountId: account } }, byPlace])
    .session(session)
    .exec();
  return groups.flatMap((group): Contribution[] => {
    const contribution = contributionOf({ ...group, ...group._id });
    return contribution === null ? [] : [{ ...contribution, orders: group.orders }];
  });
}

/**
 * Marks the items of an account that are counted in a wrong class, so that they are counted again. Then rebuilds the tally from
 * the items' `countedAs`. Returns the number of wrong marks and of wrong figures in the tally.
 */
export async function rebuildItemCounts(store: StoreConnection, account: AccountId, options = repair): Promise<number> {
  const marks = await markMiscounted(store, account, options);
  const figures = await inTransaction(store, async (session) => {
    const tally = await readTally(store, account, session);
    const found = await itemCollection(store)
      .aggregate<{ readonly _id: InventoryClass | null; readonly count: number }>(
        [{ $match: { accountId: account } }, { $group: { _id: '$countedAs', count: { $sum: 1 } } }],
        { session },
      )
      .toArray();
    const right = found.reduce((all, { _id, count }) => plusItems(all, _id ?? 'none', count), noItems);
    const wrong = countedClasses.filter((name) => right[name] !== tally[name]).length;
    if (wrong > 0 && !options.dryRun)
      await inventoryCounts(store).replaceOne({ _id: account }, right, { session, upsert: true });
    return wrong;
  });
  return marks + figures;
}

const fieldsOfClass = { removedAt: 1, serviceStatus: 1, listings: 1, version: 1 } as const;
const fieldsOfCounting = { inventoryClass: 1, countedAs: 1, isUncounted: 1 } as const;

type Counted = Pick<ItemRow, '_id' | keyof typeof fieldsOfClass> &
  Partial<Pick<ItemRow, keyof typeof fieldsOfCounting>>;

/** Returns the number of wrong items. */
async function markMiscounted(store: StoreConnection, account: AccountId, { dryRun }: RebuildOptions): Promise<number> {
  const rows = itemCollection(store)
    .find({ accountId: account })
    .project<Counted>({ ...fieldsOfClass, ...fieldsOfCounting });
  let [wrong, isOvertaken] = [0, false];
  for await (const row of rows) {
    const name = inventoryClass(row);
    if (isRight(row, name)) continue;
    wrong += 1;
    if (!dryRun && !(await markAs(store, row, name))) isOvertaken = true;
  }
  // A concurrent write changed one of the items, and it may still be wrong.
  return isOvertaken ? wrong + (await markMiscounted(store, account, { dryRun })) : wrong;
}

/** Whether the item is counted in its class, or marked to be. A row without `countedAs` is neither. */
const isRight = ({ inventoryClass: stored, countedAs, isUncounted }: Counted, name: InventoryClass): boolean =>
  stored === name && countedAs !== undefined && (isUncounted === true || countedAs === name);

async function markAs(store: StoreConnection, row: Counted, name: InventoryClass): Promise<boolean> {
  const { _id, version, countedAs } = row;
  // null also matches rows without the field.
  const unchanged = { _id, version, countedAs: countedAs ?? null };
  const set = { inventoryClass: name, isUncounted: true as const, countedAs: countedAs ?? 'none' };
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- the driver's filter knows no absent field
  const result = await itemCollection(store).updateOne(unchanged as { _id: string }, { $set: set });
  return result.matchedCount === 1;
}

/**
 * Rebuilds the commission sums of a member from its orders. Returns the number of resellers whose sums were wrong. It may run
 * while orders change: a concurrent write conflicts, and one of the two transactions restarts.
 */
export function rebuildCommissionSums(
  store: StoreConnection,
  member: AccountId,
  { dryRun }: RebuildOptions = { dryRun: false },
): Promise<number> {
  return inTransaction(store, async (session) => {
    const stored = await readStored(store, member, session);
    const right = await sumCommissions(store, member, session);
    const wrong = resellersThatDiffer(stored, right);
    if (wrong === 0 || dryRun) return wrong;
    await commissionSums(store).deleteMany({ memberAccountId: member }, { session });
    const rows = right.map((sums) => ({
      ...sums,
      _id: commissionRowId({ ...sums, memberAccountId: member }, 0),
      memberAccountId: member,
    }));
    await commissionSums(store).insertMany(rows, { session });
    return wrong;
  });
}

type ByReseller = Grouped<Pick<CommissionContribution, 'resellerAccountId' | 'isWaiting' | 'month'>>;

const named = ({ _id, ...sums }: ByReseller): CommissionContribution => ({ ..._id, ...sums });

async function readStored(
  store: StoreConnection,
  memberAccountId: AccountId,
  session: ClientSession,
): Promise<CommissionContribution[]> {
  const month = { $ifNull: ['$month', null] };
  const found = await commissionSums(store)
    .aggregate<ByReseller>([
      { $match: { memberAccountId } },
      { $group: { _id: { resellerAccountId: '$resellerAccountId', isWaiting: isWaitingRow, month }, ...summed } },
    ])
    .session(session)
    .exec();
  return found.map(named);
}

async function sumCommissions(
  store: StoreConnection,
  accountId: AccountId,
  session: ClientSession,
): Promise<CommissionContribution[]> {
  const owing = { accountId, state: 'completed', 'commission.resellerAccountId': { $type: 'string' } };
  const sums = {
    orders: { $sum: 1 },
    salesOre: { $sum: '$amountOre' },
    owedOre: { $sum: '$commission.commissionOre' },
  };
  const isWaiting = { $eq: ['$commission.confirmation', 'waiting'] };
  const isOther = { $or: [{ $eq: ['$platform', 'marketplace'] }, { $gt: ['$commission.confirmation', null] }] };
  const monthOf = { $dateToString: { date: '$completedAt', format: '%Y-%m', timezone: 'Europe/Stockholm' } };
  const month = { $cond: [isOther, null, monthOf] };
  const found = await orderRows(store)
    .aggregate<ByReseller>([
      { $match: owing },
      { $group: { _id: { resellerAccountId: '$commission.resellerAccountId', isWaiting, month }, ...sums } },
    ])
    .session(session)
    .exec();
  return found.map(named);
}

/** Rows that sum up to zero equal no rows. */
function resellersThatDiffer(
  stored: readonly CommissionContribution[],
  right: readonly CommissionContribution[],
): number {
  const textsOf = (sums: readonly CommissionContribution[], reseller: AccountId): string =>
    sums
      .filter(({ resellerAccountId }) => resellerAccountId === reseller)
      .filter(({ orders, salesOre, owedOre }) => orders !== 0 || salesOre !== 0 || owedOre !== 0)
      .map(({ isWaiting, month, ...sums }) =>
        JSON.stringify([isWaiting, month, sums.orders, sums.salesOre, sums.owedOre]),
      )
      .toSorted()
      .join();
  const resellers = new Set([...stored, ...right].map(({ resellerAccountId }) => resellerAccountId));
  return [...resellers].filter((reseller) => textsOf(stored, reseller) !== textsOf(right, reseller)).length;
}
