import type { AccountId } from '../../rules/ids.ts';

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

type Tier = 'free' | 'pro';

/** The stored state of an account's subscription, derived only from what the processor holds (protocol 23). */
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

/**
 * Specification "Subscription". The tier is `pro` while there is a subscription that has not ended; `isPro` says whether it is paid for now. A subscription
 * with a late payment therefore has tier `pro`, `isPro` false and an `expiresAt` in the past. On the free tier both times are
 * null, even after a subscription.
 */
export function describeSubscription({ tier, startedAt, paidUntil }: SubscriptionState, now: Date) {
  if (tier === 'free') return { tier, isPro: false, subscribedAt: null, expiresAt: null };
  return {
    tier,
    isPro: paidUntil !== null && now < paidUntil,
    subscribedAt: startedAt?.toISOString() ?? null,
    expiresAt: paidUntil?.toISOString() ?? null,
  };
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The processor needs a moment to begin the next period; its event usually arrives first. */
const afterEndMs = 15 * second;
const soonestMs = minute;
const latestMs = 24 * hour;

/** A checkout that the customer may be paying: the processor's session lives for a day. */
export interface OpenCheckout {
  readonly openedAt: Date;
  readonly closesAt: Date;
}

/**
 * When the account is read again without an event, because the processor's events may never arrive (the endpoint was down for
 * days, or was never registered). `mayChange`: a subscription exists that gives nothing now but may again. null: nothing can
 * change without our own call.
 */
export function nextCheckAt(
  { state, checkout, mayChange }: { state: SubscriptionState; checkout: OpenCheckout | null; mayChange: boolean },
  now: Date,
): Date | null {
  const times = [
    stateCheck(state, now),
    checkout === null ? null : checkoutCheck(checkout, now),
    mayChange ? later(now, latestMs) : null,
  ];
  const due = times.filter((time) => time !== null).map((time) => time.getTime());
  return due.length === 0 ? null : new Date(Math.min(...due));
}

/** Right after the end of the paid time, then less and less often, but at least once a day. */
function stateCheck({ tier, paidUntil }: SubscriptionState, now: Date): Date | null {
  if (tier === 'free' || paidUntil === null) return null;
  const end = paidUntil.getTime() + afterEndMs;
  const waitMs = end > now.getTime() ? end - now.getTime() : backOff(now.getTime() - end);
  return later(now, Math.min(waitMs, latestMs));
}

/** The customer may pay until the checkout closes; one more check follows after that. */
function checkoutCheck({ openedAt, closesAt }: OpenCheckout, now: Date): Date | null {
  if (now > closesAt) return null;
  const waitMs = backOff(now.getTime() - openedAt.getTime());
  return later(now, Math.min(waitMs, closesAt.getTime() - now.getTime() + soonestMs));
}

/** The pause until the next check: half of the time that has passed already. */
const backOff = (sinceMs: number): number => Math.max(soonestMs, sinceMs / 2);

const later = (now: Date, ms: number): Date => new Date(now.getTime() + ms);
