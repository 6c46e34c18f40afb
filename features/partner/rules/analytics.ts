import { sekFromOre } from '../../rules/money.ts';
import { type Month, stockholmMonth, monthsUntil } from './months.ts';
import { countedClasses, type CountedClass } from './inventory-class.ts';
import { type Revenue, revenueOf, total, type Contribution } from './revenue.ts';
import { type CategoryRevenue, breakDown } from './category-breakdown.ts';

/** `GET /partner/analytics`; money in SEK. Source: specification "Partner analytics snapshot". */
export interface Analytics {
  readonly inventory: Inventory;
  readonly monthlyRevenue: readonly MonthlyRevenue[];
  readonly categoryBreakdown: readonly CategoryRevenue[];
  readonly revenueSummary: RevenueSummary;
}

export interface Inventory {
  readonly total: number;
  readonly active: number;
  readonly draft: number;
  readonly sold: number;
  readonly archived: number;
}

export interface MonthlyRevenue extends Revenue {
  readonly month: Month;
}

export interface RevenueSummary {
  readonly totalGross: number;
  readonly totalFee: number;
  readonly totalNet: number;
  readonly totalPending: number;
}

/** Number of items in each class. */
export type ItemCounts = Readonly<Record<CountedClass, number>>;

export const noItems: ItemCounts = { draft: 0, active: 0, sold: 0, not_listed: 0, archived: 0 };

/** The sum over all classes. */
export const totalItems = (counts: ItemCounts): number => countedClasses.reduce((sum, name) => sum + counts[name], 0);

const monthsShown = 12;

/**
 * Sums are exact: whole öre are added up, and each total is converted to SEK once, at the end. `sums` come in any order, with at
 * most one entry for each month and category.
 */
export function describeAnalytics(counts: ItemCounts, sums: readonly Contribution[], now: Date): Analytics {
  const completed = sums.filter(({ month }) => month !== null);
  const all = total(completed);
  return {
    inventory: describeInventory(counts),
    monthlyRevenue: monthsUntil(stockholmMonth(now), monthsShown).map((month) => ({
      month,
      ...revenueOf(total(completed.filter((sum) => sum.month === month))),
    })),
    categoryBreakdown: breakDown(completed),
    revenueSummary: {
      totalGross: sekFromOre(all.grossOre),
      totalFee: sekFromOre(all.feeOre),
      totalNet: sekFromOre(all.grossOre - all.feeOre),
      totalPending: sekFromOre(total(sums.filter(({ month }) => month === null)).grossOre),
    },
  };
}

const describeInventory = ({ active, draft, sold, archived, not_listed }: ItemCounts): Inventory => ({
  total: active + draft + sold + archived + not_listed,
  active,
  draft,
  sold,
  archived,
});
