/** A month or a day. */
export interface RevenuePart {
  /** Its first day, YYYY-MM-DD. */
  readonly begins: string;
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

export function revenueSeries(parts: readonly RevenuePart[]): RevenueSeries {
  return {
    places: parts.map((_, place) => place),
    gross: parts.map(({ gross }) => gross),
    net: parts.map(({ net }) => net),
  };
}

/** The part with the highest revenue, the later of two equal ones; undefined without revenue. */
export function bestPart(parts: readonly RevenuePart[]): RevenuePart | undefined {
  let best: RevenuePart | undefined;
  for (const part of parts) if (part.gross > 0 && part.gross >= (best?.gross ?? 0)) best = part;
  return best;
}

/** How much more one amount is than the other, and as a share of it; no share of nothing. To the öre. */
export function differenceOf(now: number, before: number): { readonly by: number; readonly share: number | undefined } {
  const by = Math.round((now - before) * 100) / 100;
  return { by, share: before > 0 ? by / before : undefined };
}

/** Share of the largest value, from 0 to 1; a value above zero stays visible. */
export function shareOf(value: number, largest: number): number {
  if (value <= 0 || largest <= 0) return 0;
  return Math.min(1, Math.max(0.01, value / largest));
}
