import { recordDirectSale } from '../../usecases/orders/record-direct-sale.ts';
import { readNewOrder } from '../../schemas/orders/new-order.ts';
import { readQuery } from '../../schemas/query.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

export async function postOrder({ context, scope, query, body }: ScopedCall): Promise<Answer> {
  readQuery(query, {});
  const order = await recordDirectSale(context, scope, readNewOrder(body));
  return { status: 201, body: order, headers: { Location: `/partner/orders/${order.id}` } };
}
