import { describeAnalytics, type Analytics, type Contribution } from '../../core/analytics/analytics.ts';
import {
  describePeriod,
  planPeriod,
  type PeriodRevenue,
  type RevenuePeriod,
} from '../../core/analytics/revenue-period.ts';
import type { AccountId } from '../../core/ids.ts';
import type { Scope } from '../../core/scope.ts';
import { listAccountIds } from '../../store/accounts/accounts.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { readItemCounts } from '../../store/items/inventory-counts.ts';
import { sumCompletedByDay } from '../../store/orders/order-list.ts';
import { readOrderSums } from '../../store/orders/order-sums.ts';
import { rebuildCommissionSums, rebuildItemCounts, rebuildOrderSums } from '../../store/orders/rebuild-sums.ts';
import type { Context } from '../context.ts';

/**
 * The figures of the account itself; members' sales count for the members. It reads stored sums, so its time does not
 * grow with the data. With a period it also reads the orders of at most 180 days, from an index.
 */
export async function readAnalytics(
  { store, now }: Pick<Context, 'store' | 'now'>,
  { actingAccountId }: Scope,
  period?: RevenuePeriod,
): Promise<Analytics & { readonly period?: PeriodRevenue }> {
  const at = now();
  const [counts, sums] = await Promise.all([
    readItemCounts(store, actingAccountId),
    readOrderSums(store, actingAccountId),
  ]);
  const analytics = describeAnalytics(counts, sums, at);
  if (period === undefined) return analytics;
  return { ...analytics, period: await readPeriod(store, actingAccountId, { period, sums, at }) };
}

interface AskedPeriod {
  readonly period: RevenuePeriod;
  readonly sums: readonly Contribution[];
  readonly at: Date;
}

async function readPeriod(
  store: StoreConnection,
  account: AccountId,
  { period, sums, at }: AskedPeriod,
): Promise<PeriodRevenue> {
  const plan = planPeriod(period, at);
  const [days, daysBefore] = await Promise.all([
    plan.read === null ? [] : sumCompletedByDay(store, account, plan.read),
    sumCompletedByDay(store, account, plan.readBefore),
  ]);
  return describePeriod(plan, { sums, days, daysBefore });
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
