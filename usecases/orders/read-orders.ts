import { Refusal } from '../../core/errors.ts';
import type { OrderId } from '../../core/ids.ts';
import { sekFromOre } from '../../core/money.ts';
import { isInProgress, type OrderState } from '../../core/orders/order-states.ts';
import type { SalePlatform } from '../../core/orders/sale-platforms.ts';
import type { Scope } from '../../core/scope.ts';
import { writeOrderCursor, type OrderListQuery } from '../../schemas/orders/order-list.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { findOrder, type OrderRow, listOrders as findPage, listOpenOrders } from '../../store/orders/orders.ts';
import type { Context } from '../context.ts';

/** Throws Refusal NOT_FOUND. */
export async function readOrder(
  { store }: Pick<Context, 'store'>,
  scope: Scope,
  orderId: OrderId,
): Promise<OrderDescription> {
  return describeOne(store, requireOrder(await findOrder(store, scope.accountId, { orderId })));
}

/** One order as its account reads it. */
export async function describeOne(store: StoreConnection, order: OrderRow): Promise<OrderDescription> {
  const [described] = await describeOrders(store, [order]);
  if (described === undefined) throw new Error('an order was not described');
  return described;
}

export interface OrderListPage {
  readonly orders: readonly OrderDescription[];
  readonly nextCursor: string | null;
}

/** One page of the account's own orders, the latest recorded first. Orders recorded meanwhile come before the first page. */
export async function listOrders(
  { store }: Pick<Context, 'store'>,
  scope: Scope,
  { filter, cursor, limit }: OrderListQuery,
): Promise<OrderListPage> {
  // One more than the page shows, to tell whether there are more.
  const found = await findPage(store, scope.accountId, { filter, behind: cursor, limit: limit + 1 });
  const shown = found.slice(0, limit);
  const last = found.length > limit ? shown.at(-1) : undefined;
  return {
    orders: await describeOrders(store, shown),
    nextCursor: last === undefined ? null : writeOrderCursor({ createdAt: last.createdAt, orderId: last._id }, filter),
  };
}

/** An order of another account counts as missing. Throws {@link Refusal} NOT_FOUND. */
export function requireOrder(order: OrderRow | null): OrderRow {
  if (order === null) throw new Refusal('NOT_FOUND', 'There is no order with this id');
  return order;
}

/** An order as its account reads it. Money in SEK, times in ISO 8601. */
export interface OrderDescription {
  readonly id: string;
  readonly externalId: string;
  readonly itemId: string;
  readonly platform: SalePlatform;
  readonly amount: number;
  readonly fee: number;
  readonly net: number;
  readonly currency: 'SEK';
  readonly feeBps: number;
  readonly status: OrderState;
  readonly category: string;
  readonly domain: string;
  readonly marketplaceAdId: string | null;
  /** Other open orders of the same item while this one is open, too: the item was sold more than once. */
  readonly conflictingOrderIds: readonly string[];
  readonly soldAt: string;
  readonly paidAt: string | null;
  readonly completedAt: string | null;
  readonly cancelledAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The orders of one account, in the order given. */
async function describeOrders(
  store: StoreConnection,
  orders: readonly OrderRow[],
): Promise<readonly OrderDescription[]> {
  const open = orders.filter(({ state }) => isInProgress(state));
  const [first] = open;
  const itemIds = [...new Set(open.map(({ itemId }) => itemId))];
  const inProgress = first === undefined ? [] : await listOpenOrders(store, first.accountId, itemIds);
  return orders.map((order) =>
    describeOrder(
      order,
      inProgress.filter(({ itemId, _id }) => itemId === order.itemId && _id !== order._id).map(({ _id }) => _id),
    ),
  );
}

const describeOrder = (order: OrderRow, othersOpen: readonly string[]): OrderDescription => ({
  id: order._id,
  externalId: order.externalId,
  itemId: order.itemId,
  platform: order.platform,
  amount: sekFromOre(order.amountOre),
  fee: sekFromOre(order.feeOre),
  net: sekFromOre(order.amountOre - order.feeOre),
  currency: 'SEK',
  feeBps: order.feeBps,
  status: order.state,
  category: order.category,
  domain: order.domain,
  marketplaceAdId: order.adId,
  conflictingOrderIds: isInProgress(order.state) ? othersOpen.toSorted() : [],
  soldAt: order.soldAt.toISOString(),
  paidAt: timeText(order.paidAt),
  completedAt: timeText(order.completedAt),
  cancelledAt: timeText(order.cancelledAt),
  createdAt: order.createdAt.toISOString(),
  updatedAt: order.updatedAt.toISOString(),
});

const timeText = (at: Date | null): string | null => at?.toISOString() ?? null;
