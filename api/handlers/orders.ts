import { orderId } from '../../features/rules/ids.ts';
import { readNewOrder, readOrderChange } from '../../schemas/orders/order-requests.ts';
import { readOrderListQuery } from '../../schemas/orders/order-list.ts';
import { readQuery } from '../../schemas/query.ts';
import { changeOrder } from '../../features/orders/change-order.ts';
import { listOrders, readOrder, type OrderAnswer } from '../../features/orders/read-orders.ts';
import { recordDirectSale } from '../../features/orders/record-direct-sale.ts';
import { readIfMatch } from '../http/if-match.ts';
import { param, type Answer, type ScopedCall } from '../http/route.ts';

/** `GET …/orders`: 200 with a page, newest first. A key and a session have different paths. */
export async function getOrders({ context, scope, query }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await listOrders(context, scope, readOrderListQuery(query)) };
}

/** `GET …/orders/{id}`: 200 with the order and its buyer. */
export async function getOrder(call: ScopedCall): Promise<Answer> {
  readQuery(call.query, {});
  return answerOrder(await readOrder(call.context, call.scope, orderId(param(call, 'id'))));
}

/** `POST /partner/orders`: 201 with the order of a direct sale. */
export async function postOrder({ context, scope, query, body }: ScopedCall): Promise<Answer> {
  readQuery(query, {});
  const order = await recordDirectSale(context, scope, readNewOrder(body));
  return { status: 201, body: order, headers: { Location: `/partner/orders/${order.id}` } };
}

/** `PATCH …/orders/{id}`: 200 with the changed order and its new ETag. */
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
