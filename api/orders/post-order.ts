import { readNewOrder } from '../../schemas/orders/new-order.ts';
import { readQuery } from '../../schemas/query.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

export async function postOrder({ dependencies, scope, query, body }: ScopedCall): Promise<Answer> {
  readQuery(query, {});
  const order = await dependencies.orders.recordDirectSale(scope, readNewOrder(body));
  return { status: 201, body: order, headers: { Location: `/partner/orders/${order.id}` } };
}
