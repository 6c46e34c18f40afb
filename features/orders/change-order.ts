import { Refusal } from '../rules/errors.ts';
import type { OrderId } from '../rules/ids.ts';
import type { Item, ItemKey } from '../items/rules/item.ts';
import { actorOf, type Actor } from '../items/rules/journal.ts';
import { followOrder, followShipping } from './rules/follow-order.ts';
import { moveOrder, shipOrder, type OrderState, type ShippingReport } from './rules/order.ts';
import type { Scope } from '../rules/scope.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { waitingDeliveries } from '../webhooks/store/make-deliveries.ts';
import { itemsInTransaction } from '../items/store/items.ts';
import { requestLook } from '../listings/store/marketplace-watch.ts';
import { findOrder, writeOrder, type OrderRow } from './store/orders.ts';
import { inTransaction, type Session } from '../../platform/database/transaction.ts';
import type { Context } from '../context.ts';
import { movedOn, type TagCondition } from '../items/write-item.ts';
import { requireSharedOrders } from '../resellers/share-orders.ts';
import { type OrderAnswer, describeOne, orderTag, requireOrder } from './read-orders.ts';

export interface OrderChange {
  readonly orderId: OrderId;
  /** Absent: unchanged. */
  readonly status?: OrderState | undefined;
  /** Present when the order was sent. */
  readonly shipping?: ShippingReport | undefined;
  /** `If-Match`: the change takes effect only on one of these versions. */
  readonly ifMatch?: TagCondition | undefined;
}

type Needs = Pick<Context, 'store' | 'hints' | 'confirmCredential' | 'now'>;

/**
 * PATCH of an order. Order, sums, item and journal change in one transaction, so none of them changes alone. If the feed
 * reports a payment at the same time, one of the two transactions is repeated. A value that is set already changes nothing.
 * Throws {@link Refusal} NOT_FOUND, PRECONDITION_FAILED, and CONFLICT for a step that the state machine does not allow.
 * PARTNER_ACCOUNT_FORBIDDEN means a reseller whose member does not share its orders.
 */
export async function changeOrder(context: Needs, scope: Scope, change: OrderChange): Promise<OrderAnswer> {
  const { store } = context;
  const changed = await inTransaction(store, (session) => changeIn(context, { scope, change, session }));
  return { order: await describeOne(store, changed.order), tag: orderTag(changed.order) };
}

interface Changed {
  readonly order: OrderRow;
  /** null when the item needs no change. */
  readonly item: Item | null;
}

async function changeIn(
  { store, hints, confirmCredential, now }: Needs,
  { scope, change, session }: { scope: Scope; change: OrderChange; session: Session },
): Promise<Changed> {
  await requireSharedOrders(store, scope, session);
  const before = requireOrder(await findOrder(store, scope.accountId, { orderId: change.orderId, session }));
  requireMatch(before, change.ifMatch);
  const at = now();
  const after = decide(before, change, at);
  if (after === before) return { order: before, item: null };
  await confirmCredential(scope);
  if (after.isShippingOwed && !before.isShippingOwed) await requestLook(store, after.accountId, { at, session });
  return writeStep(store, { before, after, cause: { now: at, actor: actorOf(scope) }, hints }, session);
}

interface OrderStep {
  readonly before: OrderRow;
  readonly after: OrderRow;
  readonly cause: { readonly now: Date; readonly actor: Actor };
  /** Absent: what it leaves to do is found by its row. */
  readonly hints?: Pick<Context['hints'], 'plan' | 'start'>;
}

const noHints: Required<OrderStep>['hints'] = { plan: waitingDeliveries, start: () => undefined };

/** Writes a step of an order, and what its item says of it. */
export async function writeStep(store: StoreConnection, step: OrderStep, session: Session): Promise<Changed> {
  const { before, after, hints = noHints } = step;
  await writeOrder(store, { before, after }, session);
  const items = itemsInTransaction(store, session, hints);
  const item = await changeItemIn(items, { accountId: after.accountId, id: after.itemId }, (of) => follow(of, step));
  return { order: after, item };
}

function requireMatch(order: OrderRow, condition: TagCondition | undefined): void {
  if (condition === undefined || condition === 'any' || condition.includes(orderTag(order))) return;
  throw movedOn('order', condition);
}

function decide(before: OrderRow, { status, shipping }: OrderChange, at: Date): OrderRow {
  const moved = status === undefined ? before : moveOrder(before, status, at);
  if (moved === null) throw new Refusal('CONFLICT', `An order that is ${before.state} can't become ${status}`);
  if (shipping === undefined) return moved;
  const sent = shipOrder(moved, shipping, at);
  if (sent === null) throw new Refusal('CONFLICT', 'A cancelled order is not sent');
  const isNews = before.shippedAt === null && before.platform === 'marketplace';
  return isNews ? { ...sent, isShippingOwed: true } : sent;
}

/** The item's history and events get each change. A corrected tracking number is no news for the item. */
function follow(item: Item, { before, after, cause }: OrderStep): Item {
  const order = { orderId: after._id, platform: after.platform, adId: after.adId };
  const { state } = after;
  // The state machine has no transition back to pending.
  const moved = state === before.state || state === 'pending' ? item : followOrder(item, { ...order, state }, cause);
  return before.shippedAt === null && after.shippedAt !== null ? followShipping(moved, order, cause) : moved;
}

async function changeItemIn(
  items: ReturnType<typeof itemsInTransaction>,
  key: ItemKey,
  change: (item: Item) => Item,
): Promise<Item | null> {
  const item = await items.findById(key);
  const changed = item && change(item);
  return item === null || changed === null || changed === item ? null : items.replace(item, changed);
}
