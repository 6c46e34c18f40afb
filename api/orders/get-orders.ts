import { listOrders } from '../../usecases/orders/list-orders.ts';
import { readOrderListQuery } from '../../schemas/orders/order-list.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

export async function getOrders({ context, scope, query }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await listOrders(context, scope, readOrderListQuery(query)) };
}
