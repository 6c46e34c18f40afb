import { Refusal } from '../../core/errors.ts';
import type { OrderRow } from '../../store/orders/orders.ts';

/** Another account's order is not there either. Throws {@link Refusal} NOT_FOUND. */
export function requireOrder(order: OrderRow | null): OrderRow {
  if (order === null) throw new Refusal('NOT_FOUND', 'There is no order with this id');
  return order;
}
