import type { AccountId } from '../../rules/ids.ts';
import type { SalePlatform } from './order.ts';

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

/** The platform's fee in whole öre, rounded half up once per order. `feeBps` is hundredths of a percent. */
export const feeOre = (amountOre: number, feeBps: number): number => shareOre(amountOre, feeBps);

/**
 * A part of an amount in whole öre, rounded half up. `bps` is hundredths of a per cent. Exact: the largest amount
 * (`sekMax`) times 10,000 is far below the largest safe integer.
 */
const shareOre = (amountOre: number, bps: number): number => Math.floor((amountOre * bps + 5_000) / 10_000);
