import type { Item } from '../../items/rules/item.ts';
import { sekFromOre } from '../../rules/money.ts';

/** The class in which an item is counted. `not_listed` counts in `total` only, `none` nowhere. */
export type InventoryClass = CountedClass | 'none';
/** The classes that have a figure of their own. */
export const countedClasses = ['draft', 'active', 'sold', 'not_listed', 'archived'] as const;
export type CountedClass = (typeof countedClasses)[number];

export type ClassifiedItem = Pick<Item, 'removedAt' | 'serviceStatus' | 'listings'>;

/**
 * Each item counts once. `active` means "live on the service or marketplace". It therefore includes drafts and taken-down items
 * whose auction still runs because of bids. Sold and archived items count under their status, and a removed item, which no call
 * can read, counts as `none`. Source: specification "Partner analytics snapshot".
 */
export function inventoryClass({ removedAt, serviceStatus, listings }: ClassifiedItem): InventoryClass {
  if (removedAt !== null) return 'none';
  switch (serviceStatus) {
    case 'active':
    case 'sold':
    case 'archived':
      return serviceStatus;
    case 'draft':
    case 'not_listed':
      return listings.some(isForSale) ? 'active' : serviceStatus;
  }
}

const isForSale = ({ state }: Item['listings'][number]): boolean => state === 'live' || state === 'leaving';

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

/** Of completed orders. Money in SEK. */
export interface Revenue {
  readonly gross: number;
  readonly fee: number;
  readonly net: number;
  readonly orders: number;
}

export interface MonthlyRevenue extends Revenue {
  readonly month: Month;
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
export type ItemCounts = Readonly<Record<CountedClass, number>>;

export const noItems: ItemCounts = { draft: 0, active: 0, sold: 0, not_listed: 0, archived: 0 };

/** The sum over all classes. */
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
  ...{ total: active + draft + sold + archived + not_listed, active, draft, sold, archived },
});

/** A total in SEK. */
export const revenueOf = ({ grossOre, feeOre, orders }: Total): Revenue => ({
  gross: sekFromOre(grossOre),
  fee: sekFromOre(feeOre),
  net: sekFromOre(grossOre - feeOre),
  orders,
});

export type Total = Pick<Contribution, 'orders' | 'grossOre' | 'feeOre'>;

const nothing: Total = { orders: 0, grossOre: 0, feeOre: 0 };

const plus = (one: Total, other: Total): Total => ({
  orders: one.orders + other.orders,
  grossOre: one.grossOre + other.grossOre,
  feeOre: one.feeOre + other.feeOre,
});

export const total = (sums: readonly Total[]): Total => sums.reduce(plus, nothing);

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

/** Sums of orders of one month and category, or of all pending ones. Money in whole öre. */
export interface Contribution {
  /** The month of completion; null while the order is pending. */
  readonly month: Month | null;
  /** Empty while the order is pending: pending orders share one figure. */
  readonly category: string;
  readonly orders: number;
  readonly grossOre: number;
  readonly feeOre: number;
}

/** A calendar month in Europe/Stockholm, `YYYY-MM`. Compares as text. */
type Month = string;

const parts = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/Stockholm',
  calendar: 'gregory',
  numberingSystem: 'latn',
  year: 'numeric',
  month: '2-digit',
});

/** The month in Stockholm at that moment (interface-decisions "Orders"). */
export function stockholmMonth(at: Date): Month {
  const found = new Map(parts.formatToParts(at).map(({ type, value }) => [type, value]));
  return `${(found.get('year') ?? '').padStart(4, '0')}-${found.get('month') ?? ''}`;
}

/** The `count` months up to and including `last`, oldest first. */
export function monthsUntil(last: Month, count: number): Month[] {
  const [year = 0, month = 0] = last.split('-').map(Number);
  const lastNumber = year * 12 + month - 1;
  return Array.from({ length: count }, (_, index) => monthOfNumber(lastNumber - count + 1 + index));
}

const monthOfNumber = (number: number): Month =>
  `${String(Math.floor(number / 12)).padStart(4, '0')}-${String((number % 12) + 1).padStart(2, '0')}`;
