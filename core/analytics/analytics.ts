import { sekFromOre } from '../money.ts';
import { inventoryClasses, type InventoryClass } from './inventory-class.ts';
import type { Contribution } from './order-contribution.ts';
import { monthsUntil, stockholmMonth, type Month } from './stockholm-month.ts';

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

export interface MonthlyRevenue {
  readonly month: Month;
  readonly gross: number;
  readonly fee: number;
  readonly net: number;
  readonly orders: number;
}

export interface CategoryRevenue {
  readonly category: string;
  readonly count: number;
  readonly revenue: number;
}

export interface RevenueSummary {
  readonly totalGross: number;
  readonly totalFee: number;
  readonly totalNet: number;
  readonly totalPending: number;
}

/** Number of items in each class. */
export type ItemCounts = Readonly<Record<Exclude<InventoryClass, 'none'>, number>>;

export const noItems: ItemCounts = { draft: 0, active: 0, sold: 0, not_listed: 0, archived: 0 };

export const countedClasses = inventoryClasses.filter((name) => name !== 'none');

export const plusItems = (counts: ItemCounts, name: InventoryClass, count: number): ItemCounts =>
  name === 'none' ? counts : { ...counts, [name]: counts[name] + count };

export const totalItems = (counts: ItemCounts): number => countedClasses.reduce((sum, name) => sum + counts[name], 0);

const monthsShown = 12;
const categoriesShown = 10;

/**
 * Sums are exact: whole öre are added up, and each total is converted to SEK once, at the end. `sums` come in any order, with at
 * most one entry for each month and category.
 */
export function describeAnalytics(counts: ItemCounts, sums: readonly Contribution[], now: Date): Analytics {
  const completed = sums.filter(({ month }) => month !== null);
  const all = total(completed);
  return {
    inventory: describeInventory(counts),
    monthlyRevenue: monthsUntil(stockholmMonth(now), monthsShown).map((month) => {
      const { grossOre, feeOre, orders } = total(completed.filter((sum) => sum.month === month));
      return { month, ...revenue(grossOre, feeOre), orders };
    }),
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
  ...{ total: active + draft + sold + archived + not_listed, active, draft, sold, archived },
});

const revenue = (grossOre: number, feeOre: number): Pick<MonthlyRevenue, 'gross' | 'fee' | 'net'> => ({
  gross: sekFromOre(grossOre),
  fee: sekFromOre(feeOre),
  net: sekFromOre(grossOre - feeOre),
});

type Total = Pick<Contribution, 'orders' | 'grossOre' | 'feeOre'>;

const nothing: Total = { orders: 0, grossOre: 0, feeOre: 0 };

const plus = (one: Total, other: Total): Total => ({
  orders: one.orders + other.orders,
  grossOre: one.grossOre + other.grossOre,
  feeOre: one.feeOre + other.feeOre,
});

const total = (sums: readonly Total[]): Total => sums.reduce(plus, nothing);

/** Covers all time, like the summary. Highest revenue first; equal revenues sort by name, so that the order is stable. */
function breakDown(completed: readonly Contribution[]): CategoryRevenue[] {
  const byName = new Map<string, Total>();
  for (const sum of completed) byName.set(sum.category, plus(byName.get(sum.category) ?? nothing, sum));
  return [...byName]
    .filter(([, { orders }]) => orders > 0)
    .sort(([oneName, one], [otherName, other]) => other.grossOre - one.grossOre || (oneName < otherName ? -1 : 1))
    .slice(0, categoriesShown)
    .map(([category, { orders, grossOre }]) => ({ category, count: orders, revenue: sekFromOre(grossOre) }));
}
