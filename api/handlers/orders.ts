import { orderId } from '../../core/ids.ts';
import { readNewOrder } from '../../schemas/orders/new-order.ts';
import { readOrderChange } from '../../schemas/orders/order-change.ts';
import { readOrderListQuery } from '../../schemas/orders/order-list.ts';
import { readQuery } from '../../schemas/query.ts';
import { changeOrder } from '../../usecases/orders/change-order.ts';
import { listOrders, readOrder } from '../../usecases/orders/read-orders.ts';
import { recordDirectSale } from '../../usecases/orders/record-direct-sale.ts';
import { param, type Answer, type ScopedCall } from '../http/route.ts';

export async function getOrders({ context, scope, query }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await listOrders(context, scope, readOrderListQuery(query)) };
}

export async function getOrder(call: ScopedCall): Promise<Answer> {
  readQuery(call.query, {});
  return { status: 200, body: await readOrder(call.context, call.scope, orderId(param(call, 'id'))) };
}

export async function postOrder({ context, scope, query, body }: ScopedCall): Promise<Answer> {
  readQuery(query, {});
  const order = await recordDirectSale(context, scope, readNewOrder(body));
  return { status: 201, body: order, headers: { Location: `/partner/orders/${order.id}` } };
}

export async function patchOrder(call: ScopedCall): Promise<Answer> {
  readQuery(call.query, {});
  const { status } = readOrderChange(call.body);
  const change = { orderId: orderId(param(call, 'id')), status };
  return { status: 200, body: await changeOrder(call.context, call.scope, change) };
}
