import type { AccountId } from '../ids.ts';

/** One subscription that the payment processor holds, as it was when it was read. */
export interface HeldSubscription {
  readonly id: string;
  /** Whose it is by its own metadata; null for one that is not ours. */
  readonly accountId: string | null;
  readonly status: HeldStatus;
  readonly startedAt: Date;
  /** The period under way: paid or, while `past_due`, still owed. */
  readonly periodStart: Date;
  readonly periodEnd: Date;
  /** When it ends at the latest; null when it goes on. */
  readonly endsAt: Date | null;
}

/**
 * `other`: a first payment that is not made yet, a pause, what was never paid, or what we don't know: none of it gives Pro, but it
 * may again, when its invoice is paid.
 */
export type HeldStatus = 'active' | 'trialing' | 'past_due' | 'other';

export type Tier = 'free' | 'pro';

/** What is stored of an account's subscription: a function of what the processor holds, and of nothing else (protocol 22). */
export interface SubscriptionState {
  readonly tier: Tier;
  /** The processor's id; null on the free tier, as is everything below. */
  readonly subscriptionId: string | null;
  readonly startedAt: Date | null;
  /** End of what is paid. */
  readonly paidUntil: Date | null;
  /** Whether a next period is to be expected. */
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
 * The account's state by what the processor holds for it. Of several running subscriptions the one that is paid longest counts;
 * subscriptions of others, and those that give nothing, don't.
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

/** The account's own, whether they give anything now or not: with more than one the account pays twice, or may come to. */
export const unended = (account: AccountId, held: readonly HeldSubscription[]): HeldSubscription[] =>
  held.filter(({ accountId }) => accountId === account);

/** Those that give Pro. */
const running = (account: AccountId, held: readonly HeldSubscription[]): HeldSubscription[] =>
  unended(account, held).filter(({ status }) => status !== 'other');

/**
 * What becomes of a state when the processor no longer knows any of the account's customers: the key may be that of another account
 * or mode, so what was sold stays until its end. After it there is nothing that could be renewed, and the account may buy again.
 */
export const stateWithoutCustomer = (last: SubscriptionState, now: Date): SubscriptionState =>
  last.paidUntil !== null && now < last.paidUntil ? last : freeState;

/**
 * The processor begins the next period before it is paid. When that payment fails the period under way is not paid, and what was
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
