import { Schema, type ClientSession } from 'mongoose';
import type { AccountId, ItemId, OrderId } from '../../core/ids.ts';
import type { OrderCommission } from '../../core/orders/commission.ts';
import { moveOrder, statesInProgress, type OrderProgress } from '../../core/orders/order-states.ts';
import type { SalePlatform } from '../../core/orders/sale-platforms.ts';
import { moveCommissionSums } from './commission-sums.ts';
import { defineCollection, isDuplicateKey, type StoreConnection } from '../database/connection.ts';
import { findSaleTerms, type SaleTerms } from '../resellers/deals.ts';
import { moveOrderSums } from './order-sums.ts';
import { inTransaction } from '../database/transaction.ts';

/**
 * A sale. Money in whole öre. Category, domain, fee, deal and commission are those at the sale (interface-decisions "Orders").
 */
export interface OrderRow extends OrderProgress {
  readonly _id: OrderId;
  readonly accountId: AccountId;
  readonly itemId: ItemId;
  readonly externalId: string;
  readonly platform: SalePlatform;
  readonly amountOre: number;
  readonly feeBps: number;
  readonly feeOre: number;
  readonly domain: string;
  readonly category: string;
  /** Version of the account's deal in force at the sale; null is `consumer_default`. */
  readonly dealId: string | null;
  /** What its reseller owes on it once it is completed; null when the account was no reseller's member at the sale. */
  readonly commission: OrderCommission | null;
  /** The auction that was won; null for a direct sale. */
  readonly adId: string | null;
  readonly soldAt: Date;
  readonly createdAt: Date;
}

const commissionSchema = new Schema(
  { resellerAccountId: String, agreementId: String, commissionBps: Number, commissionOre: Number },
  { _id: false },
);

const schema = new Schema(
  {
    _id: String,
    accountId: String,
    itemId: String,
    externalId: String,
    platform: String,
    amountOre: Number,
    feeBps: Number,
    feeOre: Number,
    state: String,
    domain: String,
    category: String,
    dealId: String,
    commission: { type: commissionSchema, default: null },
    adId: String,
    soldAt: Date,
    paidAt: Date,
    completedAt: Date,
    cancelledAt: Date,
    createdAt: Date,
    updatedAt: Date,
  },
  { versionKey: false },
);
// The list, newest first: alone, by state, and by external id.
schema.index({ accountId: 1, createdAt: -1, _id: -1 });
schema.index({ accountId: 1, state: 1, createdAt: -1, _id: -1 });
schema.index({ accountId: 1, externalId: 1, createdAt: -1, _id: -1 });
schema.index({ accountId: 1, itemId: 1, state: 1 });

export const orderRows = defineCollection<OrderRow>('orders', schema);

export function findOrder(
  store: StoreConnection,
  account: AccountId,
  { orderId, session }: { orderId: OrderId; session?: ClientSession },
): Promise<OrderRow | null> {
  return orderRows(store)
    .findOne({ _id: orderId, accountId: account })
    .session(session ?? null)
    .lean<OrderRow>()
    .exec();
}

/**
 * The only function that writes orders: a new one, or the next state of one that was read in the same transaction. It also writes
 * the sums of the account and of its reseller. The item's journal names the actor. Concurrent changes of one order conflict, and
 * one transaction restarts.
 */
export async function writeOrder(
  store: StoreConnection,
  { before, after }: { before: OrderRow | null; after: OrderRow },
  session: ClientSession,
): Promise<void> {
  if (before === null) {
    await orderRows(store).insertMany([after], { session });
  } else {
    const { state, paidAt, completedAt, cancelledAt, updatedAt } = after;
    const result = await orderRows(store).updateOne(
      { _id: before._id, accountId: before.accountId, state: before.state },
      { $set: { state, paidAt, completedAt, cancelledAt, updatedAt } },
      { session },
    );
    if (result.matchedCount !== 1) throw new Error(`order ${before._id} is not ${before.state} any more`);
  }
  await moveOrderSums(store, { before, after }, session);
  await moveCommissionSums(store, { before, after }, session);
}

export interface OrderStore {
  /** No effect when the order exists already: its id identifies the sale. */
  insertOnce(order: OrderRow): Promise<void>;
  /** Makes a pending order paid. Any other state stays, and an order that is not inserted yet gets its payment from its item. */
  markPaid(account: AccountId, order: OrderId, now: Date): Promise<void>;
  /** The deals that were in force for an account at a time. */
  findTerms(account: AccountId, at: Date): Promise<SaleTerms>;
}

export function createOrderStore(store: StoreConnection): OrderStore {
  return {
    insertOnce: (order) => insertOnce(store, order),
    markPaid: async (account, orderId, now) => {
      // The feed repeats paid rows, so most calls have nothing to do and must not cost a transaction.
      const seen = await findOrder(store, account, { orderId });
      if (seen?.state !== 'pending') return;
      await inTransaction(store, async (session) => {
        const before = await findOrder(store, account, { orderId, session });
        if (before?.state !== 'pending') return;
        const after = moveOrder(before, 'paid', now);
        if (after !== null) await writeOrder(store, { before, after }, session);
      });
    },
    findTerms: (account, at) => findSaleTerms(store, account, at),
  };
}

const insertTriesMax = 5;

/** A duplicate key may also be a row of sums that a concurrent transaction makes: the next round finds out which it was. */
async function insertOnce(store: StoreConnection, order: OrderRow): Promise<void> {
  for (let left = insertTriesMax; left > 0; left -= 1) {
    if ((await orderRows(store).exists({ _id: order._id })) !== null) return;
    try {
      await inTransaction(store, (session) => writeOrder(store, { before: null, after: order }, session));
      return;
    } catch (error) {
      if (!isDuplicateKey(error) || left === 1) throw error;
    }
  }
}

export interface OrderFilter {
  readonly status?: OrderRow['state'] | undefined;
  readonly externalId?: string | undefined;
  /** Recorded at that time or later. */
  readonly from?: Date | undefined;
  /** Recorded before that time. */
  readonly to?: Date | undefined;
}

export interface OrderPosition {
  readonly createdAt: Date;
  readonly orderId: OrderId;
}

/** An account's orders after a position, the last recorded first. */
export function listOrders(
  store: StoreConnection,
  account: AccountId,
  { filter, behind, limit }: { filter: OrderFilter; behind: OrderPosition | null; limit: number },
): Promise<OrderRow[]> {
  const { status, externalId, from, to } = filter;
  const range = { ...(from !== undefined && { $gte: from }), ...(to !== undefined && { $lt: to }) };
  const conditions = {
    accountId: account,
    ...(status !== undefined && { state: status }),
    ...(externalId !== undefined && { externalId }),
    ...(Object.keys(range).length > 0 && { createdAt: range }),
    ...(behind !== null && {
      $and: [
        { createdAt: { $lte: behind.createdAt } },
        { $or: [{ createdAt: { $lt: behind.createdAt } }, { _id: { $lt: behind.orderId } }] },
      ],
    }),
  };
  return orderRows(store).find(conditions).sort({ createdAt: -1, _id: -1 }).limit(limit).lean<OrderRow[]>().exec();
}

/** The orders in progress of some items. */
export function listOpenOrders(
  store: StoreConnection,
  account: AccountId,
  itemIds: readonly ItemId[],
): Promise<Pick<OrderRow, '_id' | 'itemId'>[]> {
  const open = { accountId: account, itemId: { $in: [...itemIds] }, state: { $in: [...statesInProgress] } };
  return orderRows(store).find(open, { itemId: 1 }).lean<Pick<OrderRow, '_id' | 'itemId'>[]>().exec();
}
