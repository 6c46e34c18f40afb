import { domainTable } from '../../core/domains/domain-table.ts';
import type { Item, PendingOrder } from '../../core/items/item.ts';
import { commissionOn, feeOre } from '../../core/orders/commission.ts';
import type { SaleTerms } from '../../store/resellers/deals.ts';
import { noSteps, type OrderRow, type OrderStore } from '../../store/orders/orders.ts';

export interface PendingOrderDependencies {
  readonly orders: OrderStore;
  readonly now: () => Date;
}

/**
 * Inserts the order of a sale that its item carries. A repeated call changes nothing, whichever process makes it. A payment may
 * be reported between two tries: then the order exists and is not paid yet.
 */
export async function insertPendingOrder(
  dependencies: PendingOrderDependencies,
  item: Item,
  pending: PendingOrder,
): Promise<void> {
  const { orders, now } = dependencies;
  const terms = await orders.findTerms(item.accountId, pending.soldAt);
  await orders.insertOnce(orderRow(dependencies, { item, pending, terms }));
  if (pending.isPaid) await orders.markPaid(item.accountId, pending.orderId, now());
}

interface Sale {
  readonly item: Item;
  readonly pending: PendingOrder;
  readonly terms: SaleTerms;
}

/**
 * The order keeps the values at the time of the sale: category name, domain, fee, deal, commission (interface-decisions
 * "Orders").
 */
function orderRow({ now }: PendingOrderDependencies, { item, pending, terms }: Sale): OrderRow {
  const { orderId, platform, amountOre, feeBps, domain, adId, soldAt, isPaid, isOversold } = pending;
  const at = now();
  return {
    _id: orderId,
    accountId: item.accountId,
    itemId: item.id,
    externalId: item.externalId,
    platform,
    amountOre,
    feeBps,
    feeOre: feeOre(amountOre, feeBps),
    state: isPaid ? 'paid' : 'pending',
    domain,
    category: domainTable[domain].analyticsName,
    dealId: terms.dealId,
    commission: commissionOn(amountOre, terms.commission),
    adId,
    soldAt,
    paidAt: isPaid ? at : null,
    completedAt: null,
    cancelledAt: null,
    createdAt: at,
    updatedAt: at,
    changedAt: at,
    ...noSteps,
    isBuyerAwaited: platform === 'marketplace',
    ...(isOversold && { isOversold }),
  };
}
