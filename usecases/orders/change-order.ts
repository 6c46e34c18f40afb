import { Refusal } from '../../core/errors.ts';
import type { OrderId } from '../../core/ids.ts';
import type { Item } from '../../core/items/item.ts';
import { actorOf } from '../../core/items/journal.ts';
import { followOrder } from '../../core/orders/follow-order.ts';
import { moveOrder, type OrderState } from '../../core/orders/order-states.ts';
import type { Scope } from '../../core/scope.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { dueLine } from '../../store/dispatch/due-rows.ts';
import { itemsInTransaction } from '../../store/items/items.ts';
import { findOrder, writeOrder, type OrderRow } from '../../store/orders/orders.ts';
import { inTransaction, type Session } from '../../store/database/transaction.ts';
import type { Context } from '../context.ts';
import { type OrderDescription, describeOne, requireOrder } from './read-orders.ts';

export interface OrderChange {
  readonly orderId: OrderId;
  readonly status: OrderState;
}

type Needs = Pick<Context, 'store' | 'ring' | 'confirmCredential' | 'now'>;

/**
 * PATCH of an order. Order, sums, item and journal change in one transaction, so none of them changes alone. If the feed reports
 * a payment at the same time, one of the two transactions is repeated. Setting the present state changes nothing.
 * Throws {@link Refusal} NOT_FOUND, and CONFLICT for a step that the state machine does not allow.
 */
export async function changeOrder(context: Needs, scope: Scope, change: OrderChange): Promise<OrderDescription> {
  const { store, ring } = context;
  const changed = await inTransaction(store, (session) => changeIn(context, { scope, change, session }));
  if (changed.item !== null) ring(dueLine('items', 'worker', changed.item.accountId));
  return describeOne(store, changed.order);
}

interface Changed {
  readonly order: OrderRow;
  /** null when nothing was to be done with it. */
  readonly item: Item | null;
}

async function changeIn(
  { store, confirmCredential, now }: Needs,
  { scope, change, session }: { scope: Scope; change: OrderChange; session: Session },
): Promise<Changed> {
  const { orderId, status } = change;
  const before = requireOrder(await findOrder(store, scope.accountId, { orderId, session }));
  const at = now();
  const after = moveOrder(before, status, at);
  if (after === null) throw new Refusal('CONFLICT', `An order that is ${before.state} can't become ${status}`);
  // The machine has no way back to pending.
  if (after === before || status === 'pending') return { order: before, item: null };
  const actor = actorOf(scope);
  await confirmCredential(scope);
  await writeOrder(store, { before, after }, session);
  const item = await changeItemIn(store, { order: after, session }, (of) =>
    followOrder(of, { orderId, state: status }, { now: at, actor }),
  );
  return { order: after, item };
}

async function changeItemIn(
  store: StoreConnection,
  { order, session }: { order: OrderRow; session: Session },
  change: (item: Item) => Item,
): Promise<Item | null> {
  const items = itemsInTransaction(store, session);
  const item = await items.findById(order.itemId);
  if (item === null) return null;
  const stored = await items.replace(item, change(item));
  if (stored === null) throw new Error(`item ${item.id} was overtaken within a transaction`);
  return stored;
}
