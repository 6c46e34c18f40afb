import { describeAnalytics, type Analytics } from '../../core/analytics/analytics.ts';
import type { Scope } from '../../core/scope.ts';
import { readItemCounts } from '../../store/items/inventory-counts.ts';
import { readOrderSums } from '../../store/orders/order-sums.ts';
import type { Context } from '../context.ts';

/**
 * Covers the account itself; sales of members belong to the members. Reads stored sums, so its time does not grow with the data.
 */
export async function readAnalytics(context: Pick<Context, 'store' | 'now'>, scope: Scope): Promise<Analytics> {
  const [counts, sums] = await Promise.all([
    readItemCounts(context.store, scope.actingAccountId),
    readOrderSums(context.store, scope.actingAccountId),
  ]);
  return describeAnalytics(counts, sums, context.now());
}
