import { deliveryId, orderId, type AccountId } from '../rules/ids.ts';
import type { Scope } from '../rules/scope.ts';
import { foundMax, type SearchQuery } from '../../schemas/partner/search.ts';
import { findAttemptsOf } from '../webhooks/store/delivery-attempts.ts';
import { findOrdersOfItems } from '../orders/store/order-list.ts';
import { findOrder, type OrderRow } from '../orders/store/orders.ts';
import type { Context } from '../context.ts';
import { listItems } from '../items/read-item.ts';
import { describeOrders } from '../orders/read-orders.ts';
import { findMembers } from '../resellers/list-members.ts';
import { describeAttempt } from '../webhooks/webhook-deliveries.ts';

/**
 * A few results of each kind for a search text. Orders and deliveries are those of the items found, so that a title
 * finds them, too, with a fixed number of queries. An order or delivery is also found by its id. A reseller that acts for a
 * member gets that member's items alone: orders need the member's consent, and deliveries belong to its receivers.
 */
export async function search(context: Context, scope: Scope, { q, items: query }: SearchQuery) {
  const { items } = await listItems(context, scope, query);
  if (scope.accountId !== scope.actingAccountId) return { items, orders: [], deliveries: [], members: [] };
  const externalIds = [...new Set([q, ...items.map(({ externalId }) => externalId)])];
  const [orders, deliveries, { members }] = await Promise.all([
    ordersOf(context, scope.accountId, { q, externalIds }),
    attemptsOf(context, scope.accountId, { q, externalIds }),
    findMembers(context, scope, { q, sort: 'name', limit: foundMax, after: null }),
  ]);
  return { items, orders, deliveries, members };
}

interface Wanted {
  readonly q: string;
  /** The search text is included, because orders may exist for an item that is no longer listed. */
  readonly externalIds: readonly string[];
}

async function ordersOf({ store }: Pick<Context, 'store'>, account: AccountId, { q, externalIds }: Wanted) {
  const named = /^ord_[\w-]+$/.test(q) ? await findOrder(store, account, { orderId: orderId(q) }) : null;
  const rows: OrderRow[] =
    named === null ? await findOrdersOfItems(store, account, { externalIds, limit: foundMax }) : [named];
  return describeOrders(store, rows);
}

async function attemptsOf({ store }: Pick<Context, 'store'>, account: AccountId, { q, externalIds }: Wanted) {
  const named = /^dlv_[\w-]+$/.test(q) ? { deliveryId: deliveryId(q) } : { externalIds };
  return (await findAttemptsOf(store, account, { ...named, limit: foundMax })).map(describeAttempt);
}
