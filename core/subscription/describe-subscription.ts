import type { SubscriptionState, Tier } from './subscription-state.ts';

/** Specification "Subscription". */
export interface SubscriptionView {
  readonly tier: Tier;
  readonly isPro: boolean;
  readonly subscribedAt: string | null;
  readonly expiresAt: string | null;
}

/**
 * The tier is `pro` while there is a subscription that has not ended; `isPro` says whether it is paid for now. A subscription
 * with a late payment therefore has tier `pro`, `isPro` false and an `expiresAt` in the past. On the free tier both times are
 * null, even after a subscription.
 */
export function describeSubscription({ tier, startedAt, paidUntil }: SubscriptionState, now: Date): SubscriptionView {
  if (tier === 'free') return { tier, isPro: false, subscribedAt: null, expiresAt: null };
  return {
    tier,
    isPro: paidUntil !== null && now < paidUntil,
    subscribedAt: startedAt?.toISOString() ?? null,
    expiresAt: paidUntil?.toISOString() ?? null,
  };
}
