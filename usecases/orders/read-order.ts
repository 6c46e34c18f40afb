import type { OrderId } from '../../core/ids.ts';
import type { Scope } from '../../core/scope.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { findOrder, type OrderRow } from '../../store/orders/orders.ts';
import type { Context } from '../context.ts';
import { describeOrders, type OrderDescription } from './describe-order.ts';
import { requireOrder } from './require-order.ts';

/** Throws Refusal NOT_FOUND. */
export async function readOrder(
  { store }: Pick<Context, 'store'>,
  scope: Scope,
  orderId: OrderId,
): Promise<OrderDescription> {
  return describeOne(store, requireOrder(await findOrder(store, scope.accountId, { orderId })));
}

/** One order as its account reads it. */
export async function describeOne(store: StoreConnection, order: OrderRow): Promise<OrderDescription> {
  const [described] = await describeOrders(store, [order]);
  if (described === undefined) throw new Error('an order was not described');
  return described;
}
