import { sekFromOre } from '../../rules/money.ts';
import type { Month } from './months.ts';

/** Of completed orders. Money in SEK. */
export const revenueOf = ({ grossOre, feeOre, orders }: Total) => ({
  gross: sekFromOre(grossOre),
  fee: sekFromOre(feeOre),
  net: sekFromOre(grossOre - feeOre),
  orders,
});

export type Total = Pick<Contribution, 'orders' | 'grossOre' | 'feeOre'>;

export const nothing: Total = { orders: 0, grossOre: 0, feeOre: 0 };

export const plus = (one: Total, other: Total): Total => ({
  orders: one.orders + other.orders,
  grossOre: one.grossOre + other.grossOre,
  feeOre: one.feeOre + other.feeOre,
});

export const total = (sums: readonly Total[]): Total => sums.reduce(plus, nothing);

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
