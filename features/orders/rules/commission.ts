import type { AccountId } from '../../rules/ids.ts';
import { stockholmMonth } from '../../partner/rules/analytics.ts';
import type { OrderState, SalePlatform } from './order.ts';

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
  /**
   * Set when the order was completed above what counts by itself ({@link needsConfirmation}): `waiting` for the
   * reseller, which owes nothing on it until it is `given`.
   */
  readonly confirmation?: 'waiting' | 'given';
}

/** null when the seller is no reseller's member. */
export const commissionOn = (amountOre: number, terms: CommissionTerms | null): OrderCommission | null =>
  terms === null ? null : { ...terms, commissionOre: shareOre(amountOre, terms.commissionBps) };

/**
 * The member alone says that a direct sale was made and paid. So the direct sales of one member count by themselves up to
 * this sum in a calendar month, unless the agreement names another. In öre.
 */
export const directSalesMaxOre = 10_000_000;

interface Completing {
  readonly platform: SalePlatform;
  readonly amountOre: number;
  /** Direct sales of the same member and month that count by themselves. */
  readonly countedOre: number;
  /** What the agreement in force at the sale names. */
  readonly maxOre: number | undefined;
}

/** Whether an order that is completed now owes commission only once the reseller has confirmed it. It waits as a whole. */
export const needsConfirmation = ({
  platform,
  amountOre,
  countedOre,
  maxOre = directSalesMaxOre,
}: Completing): boolean => platform !== 'marketplace' && countedOre + amountOre > maxOre;

/** The fields of an order that the commission sums depend on. */
export interface CommissionedOrder {
  readonly state: OrderState;
  readonly platform: SalePlatform;
  readonly completedAt: Date | null;
  readonly amountOre: number;
  /** null when the seller is no reseller's member. */
  readonly commission: OrderCommission | null;
}

/** What one order adds to the sums of a reseller. Money in whole öre. */
export interface CommissionContribution {
  readonly resellerAccountId: AccountId;
  /** Whether these orders wait for the reseller's confirmation: nothing is owed on them yet. */
  readonly isWaiting: boolean;
  /** Of direct sales that count by themselves, the month in which they do; null for all others. */
  readonly month: string | null;
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
  platform,
  completedAt,
  amountOre,
  commission,
}: CommissionedOrder): CommissionContribution | null {
  if (state !== 'completed' || commission === null || completedAt === null) return null;
  const { resellerAccountId, commissionOre, confirmation } = commission;
  const isWaiting = confirmation === 'waiting';
  const isCounted = platform !== 'marketplace' && confirmation === undefined;
  const month = isCounted ? stockholmMonth(completedAt) : null;
  return { resellerAccountId, isWaiting, month, orders: 1, salesOre: amountOre, owedOre: commissionOre };
}

/** The platform's fee in whole öre, rounded half up once per order. `feeBps` is hundredths of a percent. */
export const feeOre = (amountOre: number, feeBps: number): number => shareOre(amountOre, feeBps);

/**
 * A part of an amount in whole öre, rounded half up. `bps` is hundredths of a per cent. Exact: the largest amount
 * (`sekMax`) times 10,000 is far below the largest safe integer.
 */
const shareOre = (amountOre: number, bps: number): number => Math.floor((amountOre * bps + 5_000) / 10_000);
