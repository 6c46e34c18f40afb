import { readOrder } from '../../usecases/orders/read-order.ts';
import { orderId } from '../../core/ids.ts';
import { readQuery } from '../../schemas/query.ts';
import { param, type Answer, type ScopedCall } from '../http/route.ts';

export async function getOrder(call: ScopedCall): Promise<Answer> {
  readQuery(call.query, {});
  return { status: 200, body: await readOrder(call.context, call.scope, orderId(param(call, 'id'))) };
}
