import type { AccountId } from '../ids.ts';
import type { OrderState } from './order-states.ts';
import { shareOre } from './share.ts';

/** What a reseller owes on a sale of a member: by the version of its agreement that was in force at the sale. */
export interface CommissionTerms {
  readonly resellerAccountId: AccountId;
  /** The version of the reseller's deal. */
  readonly agreementId: string;
  /** Hundredths of a per cent. */
  readonly commissionBps: number;
}

/** As an order keeps it: no later change of an agreement or of a membership reaches it. */
export interface OrderCommission extends CommissionTerms {
  /** In whole öre, rounded half up once per order, so that sums of it are exact. */
  readonly commissionOre: number;
}

/** null for a sale of nobody's member. */
export const commissionOn = (amountOre: number, terms: CommissionTerms | null): OrderCommission | null =>
  terms === null ? null : { ...terms, commissionOre: shareOre(amountOre, terms.commissionBps) };

/** What of an order matters to the commission sums. */
export interface CommissionedOrder {
  readonly state: OrderState;
  readonly amountOre: number;
  /** null for a sale of nobody's member. */
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
 * The commission sums are the sums of this function over all orders, and nothing else: completed ones count, also when the member has
 * left since (interface-decisions "Reseller, members, deals").
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
