import { auditBy } from '../accounts/rules/audit-entry.ts';
import { Refusal } from '../rules/errors.ts';
import { problem } from '../rules/field-problems.ts';
import { groupBy } from '../rules/group-by.ts';
import type { AccountId, ItemId, OrderId } from '../rules/ids.ts';
import { sekFromOre } from '../rules/money.ts';
import { isInProgress } from './rules/order.ts';
import { pageOf } from '../rules/page-of.ts';
import type { Scope } from '../rules/scope.ts';
import { writeOrderCursor, type OrderListQuery } from '../../schemas/orders/order-list.ts';
import { badQuery } from '../../schemas/query.ts';
import { recordAudit } from '../accounts/store/audit.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { findCountedItems, findSoldGoods, type SoldGoods } from '../items/store/items.ts';
import { findBuyer, markBuyerRead } from './store/buyers.ts';
import { listOrders as findPage, placeOf } from './store/order-list.ts';
import { findOrder, listOpenOrders, type OpenOrder, type OrderRow } from './store/orders.ts';
import type { Context } from '../context.ts';
import { requireSharedOrders } from '../resellers/share-orders.ts';

/**
 * One order with its buyer, and its tag. The account's log notes that the buyer was read. Throws Refusal NOT_FOUND, and
 * PARTNER_ACCOUNT_FORBIDDEN to a reseller whose member does not share its orders.
 */
export async function readOrder({ store, now }: Pick<Context, 'store' | 'now'>, scope: Scope, orderId: OrderId) {
  await requireSharedOrders(store, scope);
  const order = requireOrder(await findOrder(store, scope.accountId, { orderId }));
  const [described, buyer] = await Promise.all([
    describeOne(store, order),
    readBuyer({ store, now }, scope, { orderId }),
  ]);
  return { order: { ...described, buyer }, tag: orderTag(order) };
}

export interface OrderAnswer {
  readonly order: OrderDescription;
  /** The ETag without its quotes. */
  readonly tag: string;
}

/** Names one version of an order as its caller sees it. */
export const orderTag = ({ _id, revision }: Pick<OrderRow, '_id' | 'revision'>): string => `${_id}.${revision}`;

export async function describeOne(store: StoreConnection, order: OrderRow): Promise<OrderDescription> {
  const [described] = await describeOrders(store, [order]);
  if (described === undefined) throw new Error('an order was not described');
  return described;
}

export async function listOrders(context: Pick<Context, 'store' | 'itemList'>, scope: Scope, query: OrderListQuery) {
  const { rows, ...page } = await readOrderPage(context, scope, query);
  return { orders: await describeOrders(context.store, rows), ...page };
}

/**
 * One page of the account's orders, the last recorded first; orders recorded meanwhile are not on later pages. With
 * `updatedSince` by their last change, oldest first, so that a reader that continues with `nextUpdatedSince` misses no
 * change. Throws Refusal BAD_REQUEST for the cursor of another account, and PARTNER_ACCOUNT_FORBIDDEN as {@link
 * readOrder}.
 */
export async function readOrderPage(
  { store, itemList }: Pick<Context, 'store' | 'itemList'>,
  scope: Scope,
  { filter, cursor, limit }: OrderListQuery,
) {
  const { accountId: account } = scope;
  await requireSharedOrders(store, scope);
  if (cursor !== null && cursor.account !== account) throw badQuery([problem('cursor', 'foreign_cursor')]);
  // Read before the orders: a reader that pauses between two pages must not miss writes from the meantime.
  const settledUntil = cursor?.settledUntil ?? (filter.updatedSince && (await itemList.settledUntil(account)));
  // One more than the page shows, to tell whether there are more.
  const found = await findPage(store, account, { filter, behind: cursor?.place ?? null, limit: limit + 1 });
  const { shown, last } = pageOf(found, limit);
  const place = last === undefined ? null : placeOf(last, filter);
  return {
    rows: shown,
    nextCursor: place === null ? null : writeOrderCursor({ account, place, settledUntil }, filter),
    nextUpdatedSince: place === null ? (settledUntil?.toISOString() ?? null) : null,
  };
}

/** An order of another account counts as missing. Throws {@link Refusal} NOT_FOUND. */
export function requireOrder(order: OrderRow | null): OrderRow {
  if (order === null) throw new Refusal('NOT_FOUND', 'There is no order with this id');
  return order;
}

/** An order as its account reads it. Money in SEK, times in ISO 8601. */
export type OrderDescription = ReturnType<typeof describeOrder>;

/**
 * Orders of one or several accounts, in the given order. `findingGoods` is what {@link findGoodsOf} returned, for a
 * caller that reads it itself.
 */
export async function describeOrders(
  store: StoreConnection,
  orders: readonly OrderRow[],
  findingGoods?: Promise<ReadonlyMap<string, SoldGoods>>,
): Promise<readonly OrderDescription[]> {
  const open = orders.filter(({ state }) => isInProgress(state));
  const [goods, othersOpen] = await Promise.all([
    findingGoods ?? findGoodsOf(store, orders),
    findConflicts(store, open),
  ]);
  return orders.map((order) =>
    describeOrder(order, {
      title: goods.get(order.itemId)?.title ?? null,
      othersOpen: othersOpen.get(order._id) ?? [],
    }),
  );
}

/** What the orders sold, by item id. A deleted item is there until its tombstone is removed. */
export async function findGoodsOf(
  store: StoreConnection,
  orders: readonly OrderRow[],
): Promise<ReadonlyMap<string, SoldGoods>> {
  // A program that follows changes mostly gets empty pages.
  if (orders.length === 0) return new Map();
  return findSoldGoods(store, accountsOf(orders), idsOf(orders));
}

/** For each of the open orders, by id, the others for the same piece. */
async function findConflicts(
  store: StoreConnection,
  open: readonly OrderRow[],
): Promise<ReadonlyMap<OrderId, OrderId[]>> {
  const inProgress = groupBy(await listOpenOrders(store, open), ({ itemId }) => itemId);
  const crowded = [...inProgress].flatMap(([item, orders]) => (orders.length > 1 ? [item] : []));
  const counted = crowded.length > 0 ? await findCountedItems(store, accountsOf(open), crowded) : new Set<ItemId>();
  return new Map(
    open.map((order) => {
      const others = inProgress.get(order.itemId) ?? [];
      return [order._id, others.filter((other) => isOfSameThing(order, other, counted)).map(({ _id }) => _id)];
    }),
  );
}

const accountsOf = (orders: readonly OrderRow[]): AccountId[] => [...new Set(orders.map(({ accountId }) => accountId))];

const idsOf = (orders: readonly OrderRow[]): ItemId[] => [...new Set(orders.map(({ itemId }) => itemId))];

/**
 * Whether two orders of an item are for the same piece. With several pieces, one auction may sell the same piece twice, and a sale
 * beyond the last piece may be for any of them.
 */
function isOfSameThing(
  { _id, itemId, adId, isOversold }: OpenOrder,
  other: OpenOrder,
  counted: ReadonlySet<ItemId>,
): boolean {
  if (other._id === _id) return false;
  const isBeyondLast = isOversold === true || other.isOversold === true;
  return !counted.has(itemId) || isBeyondLast || (adId !== null && other.adId === adId);
}

interface Known {
  readonly title: string | null;
  /** Ids of open orders for the same piece. */
  readonly othersOpen: readonly OrderId[];
}

const describeOrder = (order: OrderRow, { title, othersOpen }: Known) => ({
  id: order._id,
  externalId: order.externalId,
  itemId: order.itemId,
  title,
  platform: order.platform,
  amount: sekFromOre(order.amountOre),
  fee: sekFromOre(order.feeOre),
  net: sekFromOre(order.amountOre - order.feeOre),
  currency: 'SEK' as const,
  feeBps: order.feeBps,
  status: order.state,
  category: order.category,
  domain: order.domain,
  marketplaceAdId: order.adId,
  shipping: {
    shippedAt: timeText(order.shippedAt),
    carrier: order.carrier,
    trackingNumber: order.trackingNumber,
    method: order.shippingMethod,
    cost: order.shippingOre === null ? null : sekFromOre(order.shippingOre),
  },
  conflictingOrderIds: othersOpen.toSorted(),
  soldAt: order.soldAt.toISOString(),
  paidAt: timeText(order.paidAt),
  completedAt: timeText(order.completedAt),
  cancelledAt: timeText(order.cancelledAt),
  createdAt: order.createdAt.toISOString(),
  updatedAt: order.updatedAt.toISOString(),
});

const timeText = (at: Date | null): string | null => at?.toISOString() ?? null;

/**
 * The buyer of an order; null when none is known or kept. The account's log notes the reading once a day for each
 * credential, so that a program that asks repeatedly does not fill the log.
 */
async function readBuyer(
  { store, now }: Pick<Context, 'store' | 'now'>,
  scope: Scope,
  { orderId }: { readonly orderId: OrderId },
) {
  const at = now();
  const row = await findBuyer(store, scope.accountId, { orderId, now: at });
  if (row === null) return null;
  const reading = `${readerOf(scope)}/${at.toISOString().slice(0, 10)}`;
  if (!row.readBy.includes(reading))
    await inTransaction(store, async (session) => {
      if (!(await markBuyerRead(store, scope.accountId, { orderId, reading, session }))) return;
      await recordAudit(store, auditBy(scope, { kind: 'buyer_read', at, details: { orderId } }), session);
    });
  const { marketplaceUserId, alias, name, email, phone, address, purgeAt } = row;
  return { marketplaceUserId, alias, name, email, phone, address, keptUntil: purgeAt.toISOString() };
}

function readerOf({ actingAccountId, credential }: Scope): string {
  switch (credential.kind) {
    case 'api-key':
      return credential.keyId;
    // All sessions of an account count as its dashboard.
    case 'session':
      return actingAccountId;
    case 'system':
    case 'operator':
      return credential.kind;
  }
}
