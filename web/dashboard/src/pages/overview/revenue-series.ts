export interface RevenueMonth {
  /** YYYY-MM */
  readonly month: string;
  readonly gross: number;
  readonly fee: number;
  readonly net: number;
  readonly orders: number;
}

/** Columns of the chart: positions 0 to n-1, then the height of each bar. */
export interface RevenueSeries {
  readonly places: number[];
  /** Drawn first, so that the part above the net amount is the fee. */
  readonly gross: number[];
  readonly net: number[];
}

export function revenueSeries(months: readonly RevenueMonth[]): RevenueSeries {
  return {
    places: months.map((_, place) => place),
    gross: months.map(({ gross }) => gross),
    net: months.map(({ net }) => net),
  };
}

export const hasRevenue = (months: readonly RevenueMonth[]): boolean => months.some(({ orders }) => orders > 0);

/** The month with the highest revenue, the later of two equal ones; undefined without revenue. */
export function bestMonth(months: readonly RevenueMonth[]): RevenueMonth | undefined {
  let best: RevenueMonth | undefined;
  for (const month of months) if (month.gross > 0 && month.gross >= (best?.gross ?? 0)) best = month;
  return best;
}

/** The middle of a month as ISO 8601, which is in the same month in every time zone. */
export const middleOf = (month: string): string => `${month}-15T12:00:00Z`;

/** Share of the largest value, from 0 to 1; a value above zero stays visible. */
export function shareOf(value: number, largest: number): number {
  if (value <= 0 || largest <= 0) return 0;
  return Math.min(1, Math.max(0.01, value / largest));
}
