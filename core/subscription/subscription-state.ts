import type { AccountId } from '../ids.ts';

/** One subscription at the payment processor, as it was when it was read. */
export interface HeldSubscription {
  readonly id: string;
  /** The account that its metadata names; null when the subscription is not ours. */
  readonly accountId: string | null;
  readonly status: HeldStatus;
  readonly startedAt: Date;
  /** The current period: paid or, while `past_due`, still owed. */
  readonly periodStart: Date;
  readonly periodEnd: Date;
  /** Latest end of the subscription; null when it renews. */
  readonly endsAt: Date | null;
}

/**
 * `other`: a first payment not made yet, a pause, a subscription that was never paid, or an unknown status. None of these gives
 * Pro, but each may do so again when its invoice is paid.
 */
export type HeldStatus = 'active' | 'trialing' | 'past_due' | 'other';

export type Tier = 'free' | 'pro';

/** The stored state of an account's subscription, derived only from what the processor holds (protocol 22). */
export interface SubscriptionState {
  readonly tier: Tier;
  /** The processor's id; null on the free tier, as is everything below. */
  readonly subscriptionId: string | null;
  readonly startedAt: Date | null;
  /** End of the paid time. */
  readonly paidUntil: Date | null;
  /** Whether a next period will follow. */
  readonly renews: boolean;
}

export const freeState: SubscriptionState = {
  tier: 'free',
  subscriptionId: null,
  startedAt: null,
  paidUntil: null,
  renews: false,
};

/**
 * The account's state, from what the processor holds for it. Of several running subscriptions, the one paid longest counts.
 * Subscriptions of other accounts, and those with status `other`, do not count.
 */
export function stateOf(account: AccountId, held: readonly HeldSubscription[]): SubscriptionState {
  const [best] = running(account, held).toSorted(
    (one, other) => paidUntil(other).getTime() - paidUntil(one).getTime() || (one.id < other.id ? -1 : 1),
  );
  if (best === undefined) return freeState;
  return {
    tier: 'pro',
    subscriptionId: best.id,
    startedAt: best.startedAt,
    paidUntil: paidUntil(best),
    renews: best.endsAt === null,
  };
}

/** The account's own subscriptions, whether they give Pro or not: with more than one, the account pays twice or soon may. */
export const unended = (account: AccountId, held: readonly HeldSubscription[]): HeldSubscription[] =>
  held.filter(({ accountId }) => accountId === account);

/** The subscriptions that give Pro. */
const running = (account: AccountId, held: readonly HeldSubscription[]): HeldSubscription[] =>
  unended(account, held).filter(({ status }) => status !== 'other');

/**
 * The state when the processor knows none of the account's customers any more. The configured key may belong to another account
 * or mode, so the paid time stays valid until its end. After that no renewal can come, and the account may buy again.
 */
export const stateWithoutCustomer = (last: SubscriptionState, now: Date): SubscriptionState =>
  last.paidUntil !== null && now < last.paidUntil ? last : freeState;

/**
 * The processor begins the next period before it is paid. When that payment fails, the current period is unpaid, so the paid time
 * ended where it begins.
 */
function paidUntil({ status, periodStart, periodEnd, endsAt }: HeldSubscription): Date {
  if (status === 'past_due') return periodStart;
  return endsAt !== null && endsAt < periodEnd ? endsAt : periodEnd;
}

export const isSameState = (one: SubscriptionState, other: SubscriptionState): boolean =>
  one.tier === other.tier &&
  one.subscriptionId === other.subscriptionId &&
  one.startedAt?.getTime() === other.startedAt?.getTime() &&
  one.paidUntil?.getTime() === other.paidUntil?.getTime() &&
  one.renews === other.renews;
