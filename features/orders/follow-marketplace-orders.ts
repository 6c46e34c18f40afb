import { deepEqual } from '../rules/deep-equal.ts';
import type { AccountId, OrderId } from '../rules/ids.ts';
import { MarketplaceError, type Seller, type SellerOrder, type SellerOrders } from '../../gateways/marketplace/port.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { findBuyer, storeBuyer } from './store/buyers.ts';
import { findOrdersOfAds, listShippingOwed, oldestAwaited } from './store/order-list.ts';
import { findOrder, writeOrder, type OrderRow } from './store/orders.ts';
import type { Context } from '../context.ts';

export interface MarketplaceOrderDependencies extends Pick<Context, 'store' | 'logger' | 'now'> {
  readonly marketplace: SellerOrders;
  readonly buyerDataDays: number;
}

export type MakeCall = <Result>(make: () => Promise<Result>) => Promise<Result>;

export interface PaidOrder {
  readonly orderId: OrderId;
  readonly adId: string;
}

/** The work on orders in each look at a seller. */
export interface OrderWork {
  /**
   * Looks for missing buyers, and reports sent orders. Returns the orders that were paid at the marketplace. `call` makes each call.
   * Throws {@link MarketplaceError}; the rest is done at a later look.
   */
  follow(seller: Seller, call: MakeCall): Promise<readonly PaidOrder[]>;
  isLeft(account: AccountId): Promise<boolean>;
}

const dayMs = 86_400_000;
/** A buyer who has not paid after this time is not looked for any longer. */
const awaitedMaxMs = 30 * dayMs;
/** The marketplace's clock may be behind ours. */
const overlapMs = 60_000;
const toldPerLookMax = 50;

export function createOrderWork(dependencies: MarketplaceOrderDependencies): OrderWork {
  const { store, now } = dependencies;
  const oldest = (account: AccountId) => oldestAwaited(store, account, new Date(now().getTime() - awaitedMaxMs));
  return {
    follow: async (seller, call) => {
      const since = await oldest(seller.accountId);
      // Calls are few, so this one is made only when a buyer is looked for.
      const paid =
        since === null
          ? []
          : await readBuyers(dependencies, seller, { since: new Date(since.getTime() - overlapMs), call });
      await tellShipped(dependencies, seller, call);
      return paid;
    },
    isLeft: async (account) =>
      (await oldest(account)) !== null || (await listShippingOwed(store, account, 1)).length > 0,
  };
}

async function readBuyers(
  dependencies: MarketplaceOrderDependencies,
  seller: Seller,
  { since, call }: { since: Date; call: MakeCall },
): Promise<PaidOrder[]> {
  const { store, marketplace } = dependencies;
  const paid: PaidOrder[] = [];
  const seen = await call(() => marketplace.readOrders(seller, since));
  const adIds = seen.flatMap(({ lines }) => lines.map(({ adId }) => adId));
  const orders = new Map((await findOrdersOfAds(store, seller.accountId, adIds)).map((order) => [order._id, order]));
  for (const one of seen.toSorted(newestFirst))
    for (const line of one.lines) {
      const order = orderOf([...orders.values()], one, line);
      if (order === undefined) continue;
      // So that another order of the same auction with the same amount is not matched with it, too.
      orders.set(order._id, { ...order, marketplaceOrderId: one.marketplaceOrderId });
      await keep(dependencies, order, one);
      if (one.isPaid) paid.push({ orderId: order._id, adId: line.adId });
    }
  return paid;
}

/** The marketplace numbers its orders upwards. */
const newestFirst = (one: SellerOrder, other: SellerOrder): number =>
  Number(other.marketplaceOrderId) - Number(one.marketplaceOrderId);

/**
 * The order that belongs to a marketplace order. An auction may have two: the one matched before comes first, then one
 * with the same amount, the last sold first. Therefore callers begin with the marketplace's newest.
 */
const orderOf = (
  orders: readonly OrderRow[],
  { marketplaceOrderId }: SellerOrder,
  { adId, amountKronor }: SellerOrder['lines'][number],
): OrderRow | undefined =>
  orders.find((order) => order.adId === adId && order.marketplaceOrderId === marketplaceOrderId) ??
  orders.find(
    (order) =>
      order.adId === adId && order.marketplaceOrderId === null && order.amountOre === Math.round(amountKronor * 100),
  );

/**
 * Stores order and buyer in one transaction. A simultaneous erasure is either repeated, or comes first and prevents
 * storing the buyer.
 */
async function keep(
  { store, now, buyerDataDays }: MarketplaceOrderDependencies,
  { _id: orderId, accountId }: OrderRow,
  seen: SellerOrder,
): Promise<void> {
  const { buyer, marketplaceOrderId, shippingMethod } = seen;
  const known = await findBuyer(store, accountId, { orderId, now: now() });
  await inTransaction(store, async (session) => {
    const before = await findOrder(store, accountId, { orderId, session });
    if (before === null) return;
    // Paid by the marketplace's own payment, or as the sale told: from then on the buyer is final.
    const isFinal = seen.isPaid || before.paidAt !== null;
    const facts = {
      marketplaceOrderId,
      shippingMethod,
      isBuyerAwaited: !isFinal,
      shippingOre: Math.round(seen.shippingKronor * 100),
    };
    // Stored before the order, whose write then also counts a new buyer's days from the last step.
    const lastStepAt = before.updatedAt;
    const row = buyer && { _id: orderId, accountId, ...buyer, keptDays: buyerDataDays, storedAt: now() };
    const isNewBuyer = row !== null && before.buyerErasedAt === null && !isSame(known, buyer ?? {});
    const isStored = isNewBuyer && (await storeBuyer(store, row, { lastStepAt, now: now(), session }));
    if (!isStored && isSame(before, facts)) return;
    await writeOrder(store, { before, after: { ...before, ...facts, revision: before.revision + 1 } }, session);
  });
}

/** It was answered, and not by a fault of the marketplace. */
const isRefused = ({ kind, status }: MarketplaceError): boolean =>
  kind === 'outcome_unknown' && status !== undefined && status >= 400 && status < 500;

/** Whether a stored row has all these values. */
const isSame = (row: object | null, values: object): boolean =>
  row !== null && deepEqual({ ...row, ...values }, { ...row });

async function tellShipped(
  { store, marketplace, logger }: MarketplaceOrderDependencies,
  seller: Seller,
  call: MakeCall,
): Promise<void> {
  for (const { _id: orderId, marketplaceOrderId } of await listShippingOwed(store, seller.accountId, toldPerLookMax)) {
    if (marketplaceOrderId === null) continue;
    try {
      await call(() => marketplace.markShipped(seller, marketplaceOrderId));
    } catch (error) {
      if (!(error instanceof MarketplaceError) || !isRefused(error)) throw error;
      // Another try would be refused as well. The seller sees the order as sent all the same.
      logger.warn({ accountId: seller.accountId, orderId, err: error }, 'order.shipping_refused');
    }
    await inTransaction(store, async (session) => {
      const before = await findOrder(store, seller.accountId, { orderId, session });
      if (before === null) return;
      const after = { ...before, isShippingOwed: false, revision: before.revision + 1 };
      await writeOrder(store, { before, after }, session);
    });
  }
}
