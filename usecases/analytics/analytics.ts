import { describeAnalytics, type Analytics } from '../../core/analytics/analytics.ts';
import type { AccountId } from '../../core/ids.ts';
import type { Scope } from '../../core/scope.ts';
import { listAccountIds } from '../../store/accounts/accounts.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { readItemCounts } from '../../store/items/inventory-counts.ts';
import { readOrderSums } from '../../store/orders/order-sums.ts';
import { rebuildCommissionSums, rebuildItemCounts, rebuildOrderSums } from '../../store/orders/rebuild-sums.ts';
import type { Context } from '../context.ts';

/**
 * The figures of the account itself; members' sales count for the members. It reads stored sums, so its time does not
 * grow with the data.
 */
export async function readAnalytics(context: Pick<Context, 'store' | 'now'>, scope: Scope): Promise<Analytics> {
  const [counts, sums] = await Promise.all([
    readItemCounts(context.store, scope.actingAccountId),
    readOrderSums(context.store, scope.actingAccountId),
  ]);
  return describeAnalytics(counts, sums, context.now());
}

/** An account whose stored sums for analytics or commission differed from its items and orders. */
export interface WrongSums {
  readonly accountId: AccountId;
  /** Marks and figures of its inventory that were wrong. */
  readonly itemCounts: number;
  /** Months and categories with wrong sums. */
  readonly orderSums: number;
  /** Resellers with a wrong commission sum for its sales. */
  readonly commissionSums: number;
}

/**
 * Compares the stored sums of every account with its rows, and corrects them with `repair`. Yields each account that was wrong.
 */
export async function* checkSums(
  { store }: { readonly store: StoreConnection },
  { repair }: { readonly repair: boolean },
): AsyncGenerator<WrongSums> {
  const options = { dryRun: !repair };
  for await (const accountId of listAccountIds(store)) {
    const itemCounts = await rebuildItemCounts(store, accountId, options);
    const orderSums = await rebuildOrderSums(store, accountId, options);
    const commissionSums = await rebuildCommissionSums(store, accountId, options);
    const wrong = itemCounts + orderSums + commissionSums;
    if (wrong > 0) yield { accountId, itemCounts, orderSums, commissionSums };
  }
}
