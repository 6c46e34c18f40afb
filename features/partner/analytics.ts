import { describeAnalytics, type Analytics } from './rules/analytics.ts';
import type { Contribution } from './rules/revenue.ts';
import { describePeriod, planPeriod, type PeriodRevenue, type RevenuePeriod } from './rules/revenue-period.ts';
import type { AccountId } from '../rules/ids.ts';
import type { Scope } from '../rules/scope.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { readItemCounts } from '../items/store/inventory-counts.ts';
import { sumCompletedByDay } from '../orders/store/order-list.ts';
import { readOrderSums } from '../orders/store/order-sums.ts';
import type { Context } from '../context.ts';
import { findSeenMembers } from '../resellers/seen-members.ts';

type Figures = Analytics & { readonly period?: PeriodRevenue };

/** The figures of the account itself; members' sales count for the members. */
export const readAnalytics = (
  context: Pick<Context, 'store' | 'now'>,
  { actingAccountId }: Scope,
  period?: RevenuePeriod,
): Promise<Figures> => readFigures(context, { itemsOf: [actingAccountId], ordersOf: [actingAccountId] }, period);

/**
 * The figures of all members of the caller together: items of each, orders of those that share them. All zero for an account that
 * is no reseller.
 */
export async function readMembersAnalytics(
  context: Pick<Context, 'store' | 'now'>,
  scope: Scope,
  period?: RevenuePeriod,
): Promise<Figures> {
  const { all, sharing } = await findSeenMembers(context.store, scope);
  return readFigures(context, { itemsOf: all, ordersOf: sharing }, period);
}

interface Counted {
  readonly itemsOf: readonly AccountId[];
  readonly ordersOf: readonly AccountId[];
}

/** Reads index keys of all items and completed orders. With a period it also reads those of at most 180 days by day. */
async function readFigures(
  { store, now }: Pick<Context, 'store' | 'now'>,
  { itemsOf, ordersOf }: Counted,
  period?: RevenuePeriod,
): Promise<Figures> {
  const at = now();
  const [counts, sums] = await Promise.all([readItemCounts(store, itemsOf), readOrderSums(store, ordersOf)]);
  const analytics = describeAnalytics(counts, sums, at);
  if (period === undefined) return analytics;
  return { ...analytics, period: await readPeriod(store, ordersOf, { period, sums, at }) };
}

interface AskedPeriod {
  readonly period: RevenuePeriod;
  readonly sums: readonly Contribution[];
  readonly at: Date;
}

async function readPeriod(
  store: StoreConnection,
  accounts: readonly AccountId[],
  { period, sums, at }: AskedPeriod,
): Promise<PeriodRevenue> {
  const plan = planPeriod(period, at);
  const [days, daysBefore] = await Promise.all([
    plan.read === null ? [] : sumCompletedByDay(store, accounts, plan.read),
    sumCompletedByDay(store, accounts, plan.readBefore),
  ]);
  return describePeriod(plan, { sums, days, daysBefore });
}
