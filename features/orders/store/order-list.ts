import type { DaySums, TimeRange } from '../../partner/rules/revenue-period.ts';
import type { AccountId, OrderId } from '../../rules/ids.ts';
import { statesInProgress } from '../rules/order.ts';
import type { StoreConnection } from '../../../platform/database/connection.ts';
import { rowsBehind } from '../../../platform/database/rows-behind.ts';
import { createSharedReads } from '../../../platform/concurrency/shared-reads.ts';
import { perStore } from '../../../platform/database/batch.ts';
import { keptMsOfOrders } from './order-sums.ts';
import { completedIndex, orderRows, type OrderRow } from './orders.ts';

export interface OrderFilter {
  readonly status?: OrderRow['state'] | undefined;
  readonly externalId?: string | undefined;
  /** Recorded at that time or later. */
  readonly from?: Date | undefined;
  /** Recorded before that time. */
  readonly to?: Date | undefined;
  /** Changed at that time or later, in the database's time. It also sorts the list by the last change, oldest first. */
  readonly updatedSince?: Date | undefined;
  /** The oldest first, in place of the newest. Without `updatedSince`. */
  readonly sort?: 'created' | '-created' | undefined;
}

export interface OrderPlace {
  /** Time of its recording or its last change, by the order of the list. */
  readonly at: Date;
  readonly orderId: OrderId;
}

export interface OrderWalk {
  readonly filter: OrderFilter;
  readonly behind: OrderPlace | null;
  readonly limit: number;
}

/**
 * An account's orders after a position. The last recorded comes first, with `sort: 'created'` the first recorded. With
 * `updatedSince` the order whose last change is oldest comes first.
 */
export function listOrders(
  store: StoreConnection,
  account: AccountId,
  { filter, behind, limit }: OrderWalk,
): Promise<OrderRow[]> {
  const { status, externalId, from, to, updatedSince } = filter;
  const range = { ...(from !== undefined && { $gte: from }), ...(to !== undefined && { $lt: to }) };
  const order = orderOf(filter);
  const conditions = {
    accountId: account,
    ...(status !== undefined && { state: status }),
    ...(externalId !== undefined && { externalId }),
    ...(Object.keys(range).length > 0 && { createdAt: range }),
    ...(updatedSince !== undefined && { changedAt: { $gte: updatedSince } }),
    ...(behind !== null && { $and: rowsBehind(order.field, order.sort._id, { at: behind.at, id: behind.orderId }) }),
  };
  return orderRows(store).find(conditions).sort(order.sort).limit(limit).lean<OrderRow[]>().exec();
}

type ListOrder = typeof newestFirst | typeof oldestFirst | typeof oldestChangeFirst;
const newestFirst = { field: 'createdAt', sort: { createdAt: -1, _id: -1 } } as const;
const oldestFirst = { field: 'createdAt', sort: { createdAt: 1, _id: 1 } } as const;
const oldestChangeFirst = { field: 'changedAt', sort: { changedAt: 1, _id: 1 } } as const;

const orderOf = ({ updatedSince, sort }: OrderFilter): ListOrder =>
  updatedSince !== undefined ? oldestChangeFirst : sort === 'created' ? oldestFirst : newestFirst;

/** Number and amount, in öre, of the orders recorded since then, without cancelled ones. */
export async function sumOrdersSince(
  store: StoreConnection,
  account: AccountId,
  since: Date,
): Promise<{ readonly orders: number; readonly amountOre: number }> {
  const [sum] = await orderRows(store)
    .aggregate<{ orders: number; amountOre: number }>([
      { $match: { accountId: account, createdAt: { $gte: since }, state: { $ne: 'cancelled' } } },
      { $group: { _id: null, orders: { $sum: 1 }, amountOre: { $sum: '$amountOre' } } },
    ])
    .exec();
  return { orders: sum?.orders ?? 0, amountOre: sum?.amountOre ?? 0 };
}

const sharedDays = perStore(() => createSharedReads<DaySums[]>(keptMsOfOrders));

/** Sums of the orders that these accounts completed in these times, by their Swedish day, as exact as `readOrderSums`. */
export const sumCompletedByDay = (
  store: StoreConnection,
  accounts: readonly AccountId[],
  times: TimeRange,
): Promise<DaySums[]> =>
  sharedDays(store)(`${accounts.join()} ${times.from.toISOString()} ${times.to.toISOString()}`, () =>
    sumByDay(store, accounts, times),
  );

async function sumByDay(
  store: StoreConnection,
  accounts: readonly AccountId[],
  { from, to }: TimeRange,
): Promise<DaySums[]> {
  const day = { $dateToString: { date: '$completedAt', format: '%Y-%m-%d', timezone: 'Europe/Stockholm' } };
  const added = { orders: { $sum: 1 }, grossOre: { $sum: '$amountOre' }, feeOre: { $sum: '$feeOre' } };
  const found = await orderRows(store)
    .aggregate<Omit<DaySums, 'day'> & { readonly _id: string }>([
      { $match: { accountId: { $in: [...accounts] }, completedAt: { $gte: from, $lte: to } } },
      { $group: { _id: day, ...added } },
    ])
    .hint(completedIndex)
    .readConcern('snapshot')
    .exec();
  return found.map(({ _id, ...sums }) => ({ day: _id, ...sums }));
}

/** The number of paid orders that were not reported as sent. */
export const countOrdersToShip = (store: StoreConnection, account: AccountId): Promise<number> =>
  orderRows(store).countDocuments({ accountId: account, state: 'paid', shippedAt: null }).exec();

/** The position of an order in the list with this filter. */
export const placeOf = (order: OrderRow, { updatedSince }: OrderFilter): OrderPlace => ({
  at: updatedSince === undefined ? order.createdAt : order.changedAt,
  orderId: order._id,
});

/** The newest orders of some items; costs one index scan for each item. */
export const findOrdersOfItems = (
  store: StoreConnection,
  account: AccountId,
  { externalIds, limit }: { readonly externalIds: readonly string[]; readonly limit: number },
): Promise<OrderRow[]> =>
  orderRows(store)
    .find({ accountId: account, externalId: { $in: [...externalIds] } })
    .sort(newestFirst.sort)
    .limit(limit)
    .lean<OrderRow[]>()
    .exec();

/**
 * When the oldest order was sold whose buyer is still looked for; null without one. Orders sold before `since` are
 * given up.
 */
export async function oldestAwaited(store: StoreConnection, account: AccountId, since: Date): Promise<Date | null> {
  const row = await orderRows(store)
    .findOne({
      accountId: account,
      isBuyerAwaited: true,
      soldAt: { $gt: since },
      state: { $in: [...statesInProgress] },
    })
    .sort({ soldAt: 1 })
    .lean<OrderRow>();
  return row?.soldAt ?? null;
}

/** Orders of won auctions, the last sold first. */
export function findOrdersOfAds(
  store: StoreConnection,
  account: AccountId,
  adIds: readonly string[],
): Promise<OrderRow[]> {
  return orderRows(store)
    .find({ accountId: account, adId: { $in: [...adIds] } })
    .sort({ soldAt: -1 })
    .lean<OrderRow[]>()
    .exec();
}

/** Sent orders of which the marketplace must still be told, and whose marketplace order is known. */
export function listShippingOwed(store: StoreConnection, account: AccountId, limit: number): Promise<OrderRow[]> {
  return orderRows(store)
    .find({ accountId: account, isShippingOwed: true, marketplaceOrderId: { $type: 'string' } })
    .limit(limit)
    .lean<OrderRow[]>()
    .exec();
}
