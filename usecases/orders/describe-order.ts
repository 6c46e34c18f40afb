import { isInProgress, type OrderState } from '../../core/orders/order-states.ts';
import type { SalePlatform } from '../../core/orders/sale-platforms.ts';
import { sekFromOre } from '../../core/money.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { listOpenOrders, type OrderRow } from '../../store/orders/orders.ts';

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
  /** Other orders in progress of the same item, while this one is too: it was sold more than once. */
  readonly conflictingOrderIds: readonly string[];
  readonly soldAt: string;
  readonly paidAt: string | null;
  readonly completedAt: string | null;
  readonly cancelledAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The orders of one account, in the order given. */
export async function describeOrders(
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
