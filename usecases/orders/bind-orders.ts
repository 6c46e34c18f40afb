import type { Scope } from '../../core/scope.ts';
import type { NewOrder } from '../../schemas/orders/new-order.ts';
import type { AccountSideContext } from '../account-side-context.ts';
import type { Binder } from '../bind.ts';
import { createKeyedMutex } from '../../platform/concurrency/keyed-mutex.ts';
import { changeOrder } from './change-order.ts';
import type { OrderDescription } from './describe-order.ts';
import { listOrders } from './list-orders.ts';
import { readOrder } from './read-order.ts';
import { recordDirectSale } from './record-direct-sale.ts';

export function bindOrders(binder: Binder) {
  const runExclusive = createKeyedMutex();
  const recordSale = (context: AccountSideContext, scope: Scope, wish: NewOrder): Promise<OrderDescription> =>
    recordDirectSale({ ...context, runExclusive }, scope, wish);
  return {
    recordDirectSale: binder.bindCreating(recordSale),
    list: binder.bind(listOrders),
    read: binder.bind(readOrder),
    change: binder.bind(changeOrder),
  };
}
