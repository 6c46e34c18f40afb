import type { AccountId } from '../ids.ts';
import type { OrderState } from './order.ts';

/** Terms of the commission that a reseller owes on a member's sale: those of its agreement at the time of the sale. */
export interface CommissionTerms {
  readonly resellerAccountId: AccountId;
  /** The version of the reseller's deal. */
  readonly agreementId: string;
  /** Hundredths of a per cent. */
  readonly commissionBps: number;
}

/** Commission stored with an order: no later change of an agreement or a membership changes it. */
export interface OrderCommission extends CommissionTerms {
  /** In whole öre, rounded half up once per order, so that sums of it are exact. */
  readonly commissionOre: number;
}

/** null when the seller is no reseller's member. */
export const commissionOn = (amountOre: number, terms: CommissionTerms | null): OrderCommission | null =>
  terms === null ? null : { ...terms, commissionOre: shareOre(amountOre, terms.commissionBps) };

/** The fields of an order that the commission sums depend on. */
export interface CommissionedOrder {
  readonly state: OrderState;
  readonly amountOre: number;
  /** null when the seller is no reseller's member. */
  readonly commission: OrderCommission | null;
}

/** What one order adds to the sums of a reseller. Money in whole öre. */
export interface CommissionContribution {
  readonly resellerAccountId: AccountId;
  readonly orders: number;
  readonly salesOre: number;
  readonly owedOre: number;
}

/**
 * The commission sums are the sums of this function over all orders, and nothing else. Completed orders count, even when the
 * member has left since (interface-decisions "Reseller, members, deals").
 */
export function commissionContribution({
  state,
  amountOre,
  commission,
}: CommissionedOrder): CommissionContribution | null {
  if (state !== 'completed' || commission === null) return null;
  const { resellerAccountId, commissionOre } = commission;
  return { resellerAccountId, orders: 1, salesOre: amountOre, owedOre: commissionOre };
}

/** The platform's fee in whole öre, rounded half up once per order. `feeBps` is hundredths of a percent. */
export const feeOre = (amountOre: number, feeBps: number): number => shareOre(amountOre, feeBps);

/**
 * A part of an amount in whole öre, rounded half up. `bps` is hundredths of a per cent. Exact: the largest amount
 * (`sekMax`) times 10,000 is far below the largest safe integer.
 */
const shareOre = (amountOre: number, bps: number): number => Math.floor((amountOre * bps + 5_000) / 10_000);
