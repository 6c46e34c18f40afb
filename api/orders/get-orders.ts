import { readOrderListQuery } from '../../schemas/orders/order-list.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

export async function getOrders({ dependencies, scope, query }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await dependencies.orders.list(scope, readOrderListQuery(query)) };
}
