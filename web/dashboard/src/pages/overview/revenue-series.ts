export interface RevenueMonth {
  /** YYYY-MM */
  readonly month: string;
  readonly gross: number;
  readonly fee: number;
  readonly net: number;
  readonly orders: number;
}

/** Columns for the chart: places 0 to n-1, then what each bar reaches up to. */
export interface RevenueSeries {
  readonly places: number[];
  /** Drawn first; what shows above the net is the fee. */
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

/** The month that made the most, the later one of two equals; undefined when none made anything. */
export function bestMonth(months: readonly RevenueMonth[]): RevenueMonth | undefined {
  let best: RevenueMonth | undefined;
  for (const month of months) if (month.gross > 0 && month.gross >= (best?.gross ?? 0)) best = month;
  return best;
}

/** The middle of a month as ISO 8601, so that it is the same month in every time zone. */
export const middleOf = (month: string): string => `${month}-15T12:00:00Z`;

/** Share of the largest, from 0 to 1; what is there at all is never nothing. */
export function shareOf(value: number, largest: number): number {
  if (value <= 0 || largest <= 0) return 0;
  return Math.min(1, Math.max(0.01, value / largest));
}
