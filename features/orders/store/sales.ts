import { domainTable } from '../../rules/domains.ts';
import type { Item, PendingOrder } from '../../items/rules/item.ts';
import { commissionOn, feeOre } from '../rules/commission.ts';
import type { StoreConnection } from '../../../platform/database/connection.ts';
import type { Session } from '../../../platform/database/transaction.ts';
import { findSaleTerms, type SaleTerms } from '../../resellers/store/deals.ts';
import { noSteps, orderRows, writeOrder, type OrderRow } from './orders.ts';

export interface SoldItem {
  readonly next: Item;
  readonly sales: readonly PendingOrder[];
}

/** Inserts the orders of sales, in the transaction that sells the items. `isRepeated`: orders that are stored already are left out. */
export async function insertSales(
  store: StoreConnection,
  sold: readonly SoldItem[],
  { now, isRepeated, session }: { readonly now: Date; readonly isRepeated: boolean; readonly session: Session },
): Promise<void> {
  for (const { next: item, sales } of sold)
    for (const sale of sales) {
      if (isRepeated && (await isStored(store, item, { sale, session }))) continue;
      const terms = await findSaleTerms(store, item.accountId, { at: sale.soldAt, session });
      await writeOrder(store, { before: null, after: orderOf(item, { sale, terms, now }) }, session);
    }
}

/** Throws for an id that is another account's order, because that sale would be lost. */
async function isStored(
  store: StoreConnection,
  { accountId }: Item,
  { sale, session }: { readonly sale: PendingOrder; readonly session: Session },
): Promise<boolean> {
  const query = orderRows(store).findOne({ _id: sale.orderId }, { accountId: 1 }).session(session);
  const found = await query.lean<Pick<OrderRow, 'accountId'>>();
  if (found !== null && found.accountId !== accountId)
    throw new Error(`the id of order ${sale.orderId} is another account's order`);
  return found !== null;
}

/**
 * The order keeps the values at the time of the sale: category name, domain, fee, deal, commission (interface-decisions
 * "Orders").
 */
export function orderOf(
  item: Item,
  { sale, terms, now: at }: { readonly sale: PendingOrder; readonly terms: SaleTerms; readonly now: Date },
): OrderRow {
  const { orderId, platform, amountOre, feeBps, domain, adId, soldAt, isPaid, isOversold } = sale;
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
