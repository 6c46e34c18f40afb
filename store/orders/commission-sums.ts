import { Schema, type ClientSession } from 'mongoose';
import {
  commissionContribution,
  type CommissionContribution,
  type CommissionedOrder,
} from '../../core/orders/commission.ts';
import type { AccountId } from '../../core/ids.ts';
import { defineCollection, type StoreConnection } from '../database/connection.ts';
import { slotAmong } from './order-sums.ts';

/**
 * What a reseller owes on completed orders of one member, even after the membership has ended. Money in öre. Each pair has a
 * few rows (slots), because transactions that write the same row conflict; an order's id selects its slot. Only
 * `moveCommissionSums`, in the transaction that writes the order, and the repair write here.
 */
export interface CommissionSumsRow extends CommissionContribution {
  /** `<reseller>/<member>/<slot>` */
  readonly _id: string;
  readonly memberAccountId: AccountId;
}

const schema = new Schema(
  {
    _id: String,
    resellerAccountId: { type: String, required: true },
    memberAccountId: { type: String, required: true },
    orders: { type: Number, required: true },
    salesOre: { type: Number, required: true },
    owedOre: { type: Number, required: true },
  },
  { versionKey: false, strict: 'throw' },
);
// Covers the read: a reseller has a few rows for each member that it ever had.
schema.index({ resellerAccountId: 1, memberAccountId: 1, orders: 1, salesOre: 1, owedOre: 1 });
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

async function add(store: StoreConnection, addition: Addition, session: ClientSession): Promise<void> {
  const { order, sign, contribution } = addition;
  const { resellerAccountId, orders, salesOre, owedOre } = contribution;
  const memberAccountId = order.accountId;
  const _id = commissionRowId({ resellerAccountId, memberAccountId }, slotAmong(order._id, slots));
  await commissionSums(store).updateOne(
    { _id },
    {
      $inc: { orders: sign * orders, salesOre: sign * salesOre, owedOre: sign * owedOre },
      $setOnInsert: { resellerAccountId, memberAccountId },
    },
    { upsert: true, session },
  );
}

const slots = 4;

/** The id of a row: `<reseller>/<member>/<slot>`. */
export const commissionRowId = (
  { resellerAccountId, memberAccountId }: { resellerAccountId: AccountId; memberAccountId: AccountId },
  slot: number,
): string => `${resellerAccountId}/${memberAccountId}/${slot}`;

/** What a reseller owes on one member's completed orders. */
export type MemberCommission = Omit<CommissionContribution, 'resellerAccountId'> & {
  readonly memberAccountId: AccountId;
};

/** Sums by member, including former members. Exact at one moment, and including every order stored before the call. */
export async function readCommissionSums(
  store: StoreConnection,
  resellerAccountId: AccountId,
): Promise<MemberCommission[]> {
  const found = await commissionSums(store)
    .aggregate<Omit<MemberCommission, 'memberAccountId'> & { readonly _id: AccountId }>([
      { $match: { resellerAccountId } },
      { $group: { _id: '$memberAccountId', ...summed } },
      { $match: { orders: { $ne: 0 } } },
    ])
    .readConcern('snapshot')
    .exec();
  return found.map(({ _id, ...sums }) => ({ memberAccountId: _id, ...sums }));
}

/** Accumulators of a group stage over rows of this collection. */
export const summed = {
  orders: { $sum: '$orders' },
  salesOre: { $sum: '$salesOre' },
  owedOre: { $sum: '$owedOre' },
};
