import { sekFromOre } from '../../rules/money.ts';
import { stockholmMonth, monthsUntil } from './months.ts';
import { countedClasses, type CountedClass } from './inventory-class.ts';
import { revenueOf, total, type Contribution } from './revenue.ts';
import { breakDown } from './category-breakdown.ts';

/** `GET /partner/analytics`; money in SEK. Source: specification "Partner analytics snapshot". */
export type Analytics = ReturnType<typeof describeAnalytics>;

export type ItemCounts = Readonly<Record<CountedClass, number>>;

export const noItems: ItemCounts = { draft: 0, active: 0, sold: 0, not_listed: 0, archived: 0 };

export const totalItems = (counts: ItemCounts): number => countedClasses.reduce((sum, name) => sum + counts[name], 0);

const monthsShown = 12;

/**
 * Sums are exact: whole öre are added up, and each total is converted to SEK once, at the end. `sums` come in any order, with at
 * most one entry for each month and category.
 */
export function describeAnalytics(counts: ItemCounts, sums: readonly Contribution[], now: Date) {
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

const describeInventory = ({ active, draft, sold, archived, not_listed }: ItemCounts) => ({
  total: active + draft + sold + archived + not_listed,
  active,
  draft,
  sold,
  archived,
});
