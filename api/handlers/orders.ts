import { orderId } from '../../core/ids.ts';
import { readNewOrder, readOrderChange } from '../../schemas/orders/order-requests.ts';
import { readOrderListQuery } from '../../schemas/orders/order-list.ts';
import { readQuery } from '../../schemas/query.ts';
import { changeOrder } from '../../usecases/orders/change-order.ts';
import { listOrders, readOrder, type OrderAnswer } from '../../usecases/orders/read-orders.ts';
import { recordDirectSale } from '../../usecases/orders/record-direct-sale.ts';
import { readIfMatch } from '../http/if-match.ts';
import { param, type Answer, type ScopedCall } from '../http/route.ts';

// The same for a key and for a session: only the paths differ.

export async function getOrders({ context, scope, query }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await listOrders(context, scope, readOrderListQuery(query)) };
}

export async function getOrder(call: ScopedCall): Promise<Answer> {
  readQuery(call.query, {});
  return answerOrder(await readOrder(call.context, call.scope, orderId(param(call, 'id'))));
}

export async function postOrder({ context, scope, query, body }: ScopedCall): Promise<Answer> {
  readQuery(query, {});
  const order = await recordDirectSale(context, scope, readNewOrder(body));
  return { status: 201, body: order, headers: { Location: `/partner/orders/${order.id}` } };
}

export async function patchOrder(call: ScopedCall): Promise<Answer> {
  readQuery(call.query, {});
  const change = { orderId: orderId(param(call, 'id')), ...readOrderChange(call.body), ...readIfMatch(call) };
  return answerOrder(await changeOrder(call.context, call.scope, change));
}

const answerOrder = ({ order, tag }: OrderAnswer): Answer => ({
  status: 200,
  body: order,
  headers: { ETag: `"${tag}"` },
});
