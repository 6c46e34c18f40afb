import { Schema, type ClientSession } from 'mongoose';
import { commissionContribution, type CommissionContribution, type CommissionedOrder } from '../rules/commission.ts';
import type { AccountId } from '../../rules/ids.ts';
import { defineCollection, type StoreConnection } from '../../../platform/database/connection.ts';
import { slotAmong } from './order-sums.ts';

/**
 * What a reseller owes on completed orders of one member, even after the membership has ended; in rows of their own, what
 * it would owe on those that wait for its confirmation. Money in öre. Each pair has a few rows (slots), because
 * transactions that write the same row conflict; an order's id selects its slot. Direct sales that count by themselves have a row
 * for each month, which tells how much of the agreement's sum is used: completions of one member take turns anyway. Only `moveCommissionSums`, in the
 * transaction that writes the order, `confirmSums` and the repair write here.
 */
export interface CommissionSumsRow extends CommissionContribution {
  /** `<reseller>/<member>/<slot or month>`, then `/waiting` for orders that wait. */
  readonly _id: string;
  readonly memberAccountId: AccountId;
}

const schema = new Schema(
  {
    _id: String,
    resellerAccountId: { type: String, required: true },
    memberAccountId: { type: String, required: true },
    isWaiting: Boolean,
    month: { type: String, default: null },
    orders: { type: Number, required: true },
    salesOre: { type: Number, required: true },
    owedOre: { type: Number, required: true },
  },
  { versionKey: false, strict: 'throw' },
);
// Covers the read: a reseller has a few rows for each member that it ever had.
schema.index({ resellerAccountId: 1, memberAccountId: 1, isWaiting: 1, orders: 1, salesOre: 1, owedOre: 1 });
schema.index({ memberAccountId: 1 });
export const commissionSums = defineCollection<CommissionSumsRow>('commission_sums', schema);

interface SummedOrder extends CommissionedOrder {
  readonly _id: string;
  readonly accountId: AccountId;
}

/** Applies a change of an order to the sums of its reseller, in the transaction that makes the change. */
export async function moveCommissionSums(
  store: StoreConnection,
  { before, after }: { readonly before: SummedOrder | null; readonly after: SummedOrder },
  session: ClientSession,
): Promise<void> {
  const left = before === null ? null : commissionContribution(before);
  const reached = commissionContribution(after);
  if (left !== null) await add(store, { order: after, contribution: left, sign: -1 }, session);
  if (reached !== null) await add(store, { order: after, contribution: reached, sign: 1 }, session);
}

interface Addition {
  readonly order: SummedOrder;
  readonly contribution: CommissionContribution;
  readonly sign: 1 | -1;
}

function add(store: StoreConnection, { order, ...addition }: Addition, session: ClientSession): Promise<void> {
  const pair = { memberAccountId: order.accountId, slot: slotAmong(order._id, slots) };
  return addToRow(store, { ...pair, ...addition }, session);
}

interface RowAddition extends Omit<Addition, 'order'> {
  readonly memberAccountId: AccountId;
  readonly slot: number;
}

async function addToRow(store: StoreConnection, addition: RowAddition, session: ClientSession): Promise<void> {
  const { memberAccountId, slot, sign, contribution } = addition;
  const { resellerAccountId, isWaiting, month, orders, salesOre, owedOre } = contribution;
  await commissionSums(store).updateOne(
    { _id: commissionRowId({ resellerAccountId, memberAccountId, isWaiting, month }, slot), resellerAccountId },
    {
      $inc: { orders: sign * orders, salesOre: sign * salesOre, owedOre: sign * owedOre },
      $setOnInsert: { memberAccountId, isWaiting, month },
    },
    { upsert: true, session },
  );
}

const slots = 4;

interface Place extends Pick<CommissionContribution, 'resellerAccountId' | 'isWaiting' | 'month'> {
  readonly memberAccountId: AccountId;
}

/** The id of a row; see {@link CommissionSumsRow}. */
export const commissionRowId = (
  { resellerAccountId, memberAccountId, isWaiting, month }: Place,
  slot: number,
): string => `${resellerAccountId}/${memberAccountId}/${month ?? slot}${isWaiting ? '/waiting' : ''}`;

/** A member's direct sales under a reseller that count by themselves in a month, in öre. */
export async function readCounted(
  store: StoreConnection,
  pair: { readonly resellerAccountId: AccountId; readonly memberAccountId: AccountId; readonly month: string },
  session: ClientSession,
): Promise<number> {
  const _id = commissionRowId({ ...pair, isWaiting: false }, 0);
  const row = await commissionSums(store)
    .findOne({ _id, resellerAccountId: pair.resellerAccountId }, { salesOre: 1 }, { session })
    .lean<Pick<CommissionSumsRow, 'salesOre'>>();
  return row?.salesOre ?? 0;
}

/** What a reseller owes on one member's completed orders, or would owe on those that wait. */
export type MemberCommission = Omit<CommissionContribution, 'resellerAccountId' | 'month'> & {
  readonly memberAccountId: AccountId;
};

/** Sums by member, including former members. Exact at one moment, and including every order stored before the call. */
export async function readCommissionSums(
  store: StoreConnection,
  resellerAccountId: AccountId,
): Promise<MemberCommission[]> {
  const found = await commissionSums(store)
    .aggregate<Grouped<Pick<MemberCommission, 'memberAccountId' | 'isWaiting'>>>([
      { $match: { resellerAccountId } },
      { $group: { _id: { memberAccountId: '$memberAccountId', isWaiting: isWaitingRow }, ...summed } },
      { $match: { orders: { $ne: 0 } } },
    ])
    .readConcern('snapshot')
    .exec();
  return found.map(({ _id, ...sums }) => ({ ..._id, ...sums }));
}

/** Sums of rows of this collection by what they have in common. */
export interface Grouped<Place> extends Pick<CommissionContribution, 'orders' | 'salesOre' | 'owedOre'> {
  readonly _id: Place;
}

/** Accumulators of a group stage over rows of this collection. */
export const summed = {
  orders: { $sum: '$orders' },
  salesOre: { $sum: '$salesOre' },
  owedOre: { $sum: '$owedOre' },
};

/** Whether a row of this collection is of orders that wait; rows of before have no such field. */
export const isWaitingRow = { $eq: ['$isWaiting', true] };

/** Counts what waits of a pair as owed; part of the transaction that confirms these orders. `waiting` is all that waits. */
export async function confirmSums(
  store: StoreConnection,
  { memberAccountId, ...waiting }: MemberCommission & Pick<CommissionContribution, 'resellerAccountId'>,
  session: ClientSession,
): Promise<void> {
  // A pair's sums are those of all its rows, so any slot will do.
  const row = { memberAccountId, slot: 0 };
  const contribution = { ...waiting, month: null };
  await addToRow(store, { ...row, contribution, sign: -1 }, session);
  await addToRow(store, { ...row, contribution: { ...contribution, isWaiting: false }, sign: 1 }, session);
}
