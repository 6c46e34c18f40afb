import type { AccountId } from '../../core/ids.ts';
import { statesInProgress } from '../../core/orders/order.ts';
import type { StoreConnection } from '../database/connection.ts';
import { orderRows, type OrderRow } from './orders.ts';

// What a look at the marketplace still has to do for the orders of an account.

/** When the oldest order was sold whose buyer is still looked for; null without one. Orders from before `since` are given up. */
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

/** Orders that were sent and of which the marketplace is to be told, as far as it is known how it calls them. */
export function listShippingOwed(store: StoreConnection, account: AccountId, limit: number): Promise<OrderRow[]> {
  return orderRows(store)
    .find({ accountId: account, isShippingOwed: true, marketplaceOrderId: { $type: 'string' } })
    .limit(limit)
    .lean<OrderRow[]>()
    .exec();
}
