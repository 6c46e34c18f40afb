import { changeOrder } from '../../usecases/orders/change-order.ts';
import { orderId } from '../../core/ids.ts';
import { readOrderChange } from '../../schemas/orders/order-change.ts';
import { readQuery } from '../../schemas/query.ts';
import { param, type Answer, type ScopedCall } from '../http/route.ts';

export async function patchOrder(call: ScopedCall): Promise<Answer> {
  readQuery(call.query, {});
  const { status } = readOrderChange(call.body);
  const change = { orderId: orderId(param(call, 'id')), status };
  return { status: 200, body: await changeOrder(call.context, call.scope, change) };
}
