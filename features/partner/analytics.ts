import { describeAnalytics, type Analytics, type Contribution } from './rules/analytics.ts';
import { describePeriod, planPeriod, type PeriodRevenue, type RevenuePeriod } from './rules/revenue-period.ts';
import type { AccountId } from '../rules/ids.ts';
import type { Scope } from '../rules/scope.ts';
import { listAccountIds } from '../accounts/store/accounts.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { readItemCountsOf } from '../items/store/inventory-counts.ts';
import { sumCompletedByDay } from '../orders/store/order-list.ts';
import { readOrderSumsOf } from '../orders/store/order-sums.ts';
import { rebuildCommissionSums, rebuildItemCounts, rebuildOrderSums } from '../orders/store/rebuild-sums.ts';
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

/**
 * Reads stored sums, so its time does not grow with the data of an account. With a period it also reads the orders of at most 180
 * days, from an index.
 */
async function readFigures(
  { store, now }: Pick<Context, 'store' | 'now'>,
  { itemsOf, ordersOf }: Counted,
  period?: RevenuePeriod,
): Promise<Figures> {
  const at = now();
  const [counts, sums] = await Promise.all([readItemCountsOf(store, itemsOf), readOrderSumsOf(store, ordersOf)]);
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
