import type { Scope } from '../../core/scope.ts';
import { writeOrderCursor, type OrderListQuery } from '../../schemas/orders/order-list.ts';
import { listOrders as findPage } from '../../store/orders/orders.ts';
import type { Context } from '../context.ts';
import { describeOrders, type OrderDescription } from './describe-order.ts';

export interface OrderListPage {
  readonly orders: readonly OrderDescription[];
  readonly nextCursor: string | null;
}

/** One page of the account's own orders, the last recorded first. What is recorded meanwhile stands before the first page. */
export async function listOrders(
  { store }: Pick<Context, 'store'>,
  scope: Scope,
  { filter, cursor, limit }: OrderListQuery,
): Promise<OrderListPage> {
  // One more than is shown: it tells whether there is more.
  const found = await findPage(store, scope.accountId, { filter, behind: cursor, limit: limit + 1 });
  const shown = found.slice(0, limit);
  const last = found.length > limit ? shown.at(-1) : undefined;
  return {
    orders: await describeOrders(store, shown),
    nextCursor: last === undefined ? null : writeOrderCursor({ createdAt: last.createdAt, orderId: last._id }, filter),
  };
}
