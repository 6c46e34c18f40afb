import { Schema, type ClientSession } from 'mongoose';
import { monthAround } from '../../partner/rules/revenue-period.ts';
import type { AccountId, ItemId, OrderId } from '../../rules/ids.ts';
import { groupBy } from '../../rules/group-by.ts';
import { needsConfirmation, type OrderCommission } from '../rules/commission.ts';
import {
  directPlatforms,
  moveOrder,
  statesInProgress,
  type OrderProgress,
  type SalePlatform,
  type Shipping,
} from '../rules/order.ts';
import { runExclusive } from '../../accounts/store/accounts.ts';
import { keepBuyerLonger } from './buyers.ts';
import { defineCollection, type StoreConnection } from '../../../platform/database/connection.ts';
import { findDirectSalesMax } from '../../resellers/store/deals.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';

/**
 * A sale. Money in whole öre. Category, domain, fee, deal and commission are those at the sale (interface-decisions "Orders").
 */
export interface OrderRow extends OrderProgress, Shipping {
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
  /** The won auction; null for a direct sale. */
  readonly adId: string | null;
  readonly soldAt: Date;
  readonly createdAt: Date;
  /** When it last changed, in the database's time: callers ask for changes by it. The store sets it. */
  readonly changedAt: Date;
  /** The shipping that the buyer pays and its name, as the marketplace gives them; null while unknown. */
  readonly shippingOre: number | null;
  readonly shippingMethod: string | null;
  /** The marketplace's id of the order, known from the first look at the marketplace's orders on. */
  readonly marketplaceOrderId: string | null;
  /** The buyer of a won auction is still looked for, because the marketplace has not reported the order as paid. */
  readonly isBuyerAwaited: boolean;
  /** The marketplace must still be told that the order was sent. */
  readonly isShippingOwed: boolean;
  /** The item had no piece left when it was sold; absent on all other orders. */
  readonly isOversold?: true;
  /** Set when the buyer's data were erased at the buyer's request, so that later looks do not store them again. */
  readonly buyerErasedAt: Date | null;
}

/** The fields of a new order, before its first step. */
export const noSteps = {
  revision: 1,
  shippedAt: null,
  carrier: null,
  trackingNumber: null,
  shippingOre: null,
  shippingMethod: null,
  marketplaceOrderId: null,
  isBuyerAwaited: false,
  isShippingOwed: false,
  buyerErasedAt: null,
} as const;

const commissionSchema = new Schema(
  {
    resellerAccountId: String,
    agreementId: String,
    commissionBps: Number,
    commissionOre: Number,
    confirmation: String,
  },
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
    changedAt: Date,
    revision: Number,
    shippedAt: Date,
    carrier: String,
    trackingNumber: String,
    shippingOre: Number,
    shippingMethod: String,
    marketplaceOrderId: String,
    isBuyerAwaited: Boolean,
    isShippingOwed: Boolean,
    isOversold: Boolean,
    buyerErasedAt: Date,
  },
  { versionKey: false },
);
// The list, newest first: alone, by state, and by external id.
schema.index({ accountId: 1, createdAt: -1, _id: -1 });
schema.index({ accountId: 1, state: 1, createdAt: -1, _id: -1 });
schema.index({ accountId: 1, externalId: 1, createdAt: -1, _id: -1 });
const openIndex = { accountId: 1, itemId: 1, state: 1 } as const;
schema.index(openIndex);
// The list by the last change, oldest first, so that a reader that follows changes reads only new ones.
schema.index({ accountId: 1, changedAt: 1, _id: 1 });
// What was completed, with all that is summed in the index itself, so that no order is read.
export const completedIndex = { accountId: 1, completedAt: 1, category: 1, amountOre: 1, feeOre: 1 } as const;
schema.index(completedIndex, { partialFilterExpression: { completedAt: { $gt: new Date(0) } } });
// What is pending, in the same way.
schema.index({ accountId: 1, state: 1, amountOre: 1, feeOre: 1 }, { partialFilterExpression: { state: 'pending' } });
// The orders of a won auction.
schema.index({ accountId: 1, adId: 1 }, { partialFilterExpression: { adId: { $type: 'string' } } });
// What a look at the marketplace still has to do; always few rows.
schema.index({ accountId: 1, soldAt: 1 }, { partialFilterExpression: { isBuyerAwaited: true } });
schema.index({ accountId: 1 }, { partialFilterExpression: { isShippingOwed: true }, name: 'shippingOwed' });
// What a reseller owes, and what counted by itself in a month of one member, in the same way.
export const commissionIndex = {
  'commission.resellerAccountId': 1,
  accountId: 1,
  platform: 1,
  completedAt: 1,
  'commission.confirmation': 1,
  amountOre: 1,
  'commission.commissionOre': 1,
} as const;
schema.index(commissionIndex, {
  partialFilterExpression: { 'commission.resellerAccountId': { $gt: '' }, completedAt: { $gt: new Date(0) } },
});
// A member's orders that wait for its reseller.
schema.index(
  { accountId: 1, 'commission.resellerAccountId': 1, amountOre: 1 },
  { partialFilterExpression: { 'commission.confirmation': 'waiting' }, name: 'waiting' },
);

export const orderRows = defineCollection<OrderRow>('orders', schema);

/** The order, or null. */
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

/** The order of whichever account: for operators only. */
export const findOrderOfAnyone = (
  store: StoreConnection,
  _id: OrderId,
  session: ClientSession,
): Promise<OrderRow | null> => orderRows(store).findOne({ _id }).session(session).lean<OrderRow>().exec();

/**
 * The only function that writes orders: a new one, or the next state of one that was read in the same transaction. It also
 * counts the buyer's retention from the last step. The actor is not recorded here: a caller that has one writes the item's journal or the account's log. Concurrent changes of one order
 * conflict, and one transaction restarts. A completed order is marked when it waits for its reseller's confirmation.
 */
export async function writeOrder(
  store: StoreConnection,
  { before, after: wished }: { before: OrderRow | null; after: OrderRow },
  session: ClientSession,
): Promise<void> {
  const after = await decideConfirmation(store, { before, after: wished }, session);
  if (before === null) {
    await orderRows(store).insertMany([after], { session });
  } else {
    const result = await orderRows(store).updateOne(
      { _id: before._id, accountId: before.accountId, revision: before.revision },
      { $set: changeable(after) },
      { session },
    );
    if (result.matchedCount !== 1) throw new Error(`order ${before._id} is not as it was read any more`);
  }
  await orderRows(store).updateOne(
    { _id: after._id, accountId: after.accountId },
    { $currentDate: { changedAt: true } },
    { session },
  );
  await keepBuyerLonger(store, after.accountId, { orderId: after._id, lastStepAt: after.updatedAt, session });
}

/** A member's completions take turns, so that two of them can't both be the last that counts by itself. */
async function decideConfirmation(
  store: StoreConnection,
  { before, after }: { before: OrderRow | null; after: OrderRow },
  session: ClientSession,
): Promise<OrderRow> {
  const { commission, completedAt, platform, amountOre } = after;
  const isDirect = platform !== 'marketplace';
  if (commission === null || completedAt === null || before?.state === 'completed' || !isDirect) return after;
  await runExclusive(store, after.accountId, session);
  const countedOre = await readCounted(store, { ...after, commission, completedAt }, session);
  const maxOre = await findDirectSalesMax(store, commission, session);
  if (!needsConfirmation({ platform, amountOre, countedOre, maxOre })) return after;
  return { ...after, commission: { ...commission, confirmation: 'waiting' } };
}

interface Completing extends Pick<OrderRow, 'accountId'> {
  readonly commission: OrderCommission;
  readonly completedAt: Date;
}

/** The member's direct sales under the same reseller that count by themselves in the same month, in öre. */
async function readCounted(
  store: StoreConnection,
  { accountId, commission, completedAt }: Completing,
  session: ClientSession,
): Promise<number> {
  const { from, to } = monthAround(completedAt);
  const direct = {
    'commission.resellerAccountId': commission.resellerAccountId,
    accountId,
    platform: { $in: [...directPlatforms] },
    completedAt: { $gte: from, $lt: to },
  };
  // Grouped and not matched: for a match on null the database reads the order.
  const sums = await orderRows(store)
    .aggregate<{ readonly _id: OrderCommission['confirmation'] | null; readonly ore: number }>([
      { $match: direct },
      { $group: { _id: '$commission.confirmation', ore: { $sum: '$amountOre' } } },
    ])
    .hint(commissionIndex)
    .session(session)
    .exec();
  return sums.find(({ _id }) => _id === null)?.ore ?? 0;
}

/** The fields that a change of an order may set. */
const changeable = ({ state, paidAt, completedAt, cancelledAt, updatedAt, revision, ...order }: OrderRow) => ({
  state,
  paidAt,
  completedAt,
  cancelledAt,
  updatedAt,
  revision,
  shippedAt: order.shippedAt,
  carrier: order.carrier,
  trackingNumber: order.trackingNumber,
  shippingOre: order.shippingOre,
  shippingMethod: order.shippingMethod,
  marketplaceOrderId: order.marketplaceOrderId,
  isBuyerAwaited: order.isBuyerAwaited,
  isShippingOwed: order.isShippingOwed,
  buyerErasedAt: order.buyerErasedAt,
  commission: order.commission,
});

export interface OrderStore {
  /** Of those that are there: whether a payment is known, or no longer matters. */
  findPayments(account: AccountId, orderIds: readonly OrderId[]): Promise<ReadonlyMap<OrderId, boolean>>;
  /** The item that was sold; null for an order that the account does not have. */
  findItemId(account: AccountId, orderId: OrderId): Promise<ItemId | null>;
  /** Marks a pending order as paid; any other state stays. */
  markPaid(account: AccountId, order: OrderId, now: Date): Promise<void>;
}

export function createOrderStore(store: StoreConnection): OrderStore {
  return {
    findPayments: async (account, orderIds) => {
      const filter = { accountId: account, _id: { $in: [...orderIds] } };
      const rows = await orderRows(store).find(filter, { state: 1 }).lean<Pick<OrderRow, '_id' | 'state'>[]>();
      return new Map(rows.map(({ _id, state }) => [_id, state !== 'pending']));
    },
    findItemId: async (account, orderId) => (await findOrder(store, account, { orderId }))?.itemId ?? null,
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
  };
}

/** Orders of the account that are not paid yet, or paid and not completed. */
export async function listInProgress(store: StoreConnection, account: AccountId): Promise<OrderId[]> {
  const open = { accountId: account, state: { $in: [...statesInProgress] } };
  const rows = await orderRows(store).find(open, { _id: 1 }).lean<Pick<OrderRow, '_id'>[]>().exec();
  return rows.map(({ _id }) => _id);
}

/** The fields that tell whether two open orders are for the same piece. */
export type OpenOrder = Pick<OrderRow, '_id' | 'itemId' | 'adId' | 'isOversold'>;

/**
 * The orders in progress of some items, of one or several accounts. Each account is a branch of its own: with a list of accounts and
 * one of items, the database would look up every pair of them.
 */
export async function listOpenOrders(
  store: StoreConnection,
  items: readonly Pick<OrderRow, 'accountId' | 'itemId'>[],
): Promise<OpenOrder[]> {
  if (items.length === 0) return [];
  const branches = [...groupBy(items, ({ accountId }) => accountId)].map(([accountId, own]) => ({
    accountId,
    itemId: { $in: own.map(({ itemId }) => itemId) },
    state: { $in: [...statesInProgress] },
  }));
  // Named, because the database tries several for each branch, and took one by date on a busy machine.
  return orderRows(store)
    .find({ $or: branches }, { itemId: 1, adId: 1, isOversold: 1 })
    .hint(openIndex)
    .lean<OpenOrder[]>()
    .exec();
}
