import { stockholmMonth, type Month } from './stockholm-month.ts';

/** The fields of an order that the sums depend on. */
export interface CountedOrder {
  readonly state: 'pending' | 'paid' | 'completed' | 'cancelled';
  readonly amountOre: number;
  readonly feeOre: number;
  /** Name of the category at the time of the sale. */
  readonly category: string;
  readonly completedAt: Date | null;
}

/** What one order adds to the sums of its account: to one month and category, or nothing. Money in whole öre. */
export interface Contribution {
  /** The month of completion; null while the order is pending. */
  readonly month: Month | null;
  /** Empty while the order is pending: pending orders share one figure. */
  readonly category: string;
  readonly orders: number;
  readonly grossOre: number;
  readonly feeOre: number;
}

/**
 * The sums of an account are the sums of this function over its orders, and nothing else (docs/reference/specification.md,
 * "Partner analytics snapshot"). An order that is paid but not completed, or cancelled, adds nothing: `totalPending` sums
 * `pending` only (interface-decisions "Orders"). Throws an Error when a completed order has no `completedAt`.
 */
export function contributionOf(order: CountedOrder): Contribution | null {
  const { category, amountOre, feeOre } = order;
  switch (order.state) {
    case 'pending':
      return { month: null, category: '', orders: 1, grossOre: amountOre, feeOre };
    case 'completed':
      if (order.completedAt === null) throw new Error('a completed order without the time of its completion');
      return { month: stockholmMonth(order.completedAt), category, orders: 1, grossOre: amountOre, feeOre };
    case 'paid':
    case 'cancelled':
      return null;
  }
}
