import type { SubscriptionState, Tier } from './subscription-state.ts';

/** Specification "Subscription". */
export interface SubscriptionView {
  readonly tier: Tier;
  readonly isPro: boolean;
  readonly subscribedAt: string | null;
  readonly expiresAt: string | null;
}

/**
 * The tier is `pro` as long as there is a subscription that is not over; `isPro` says whether it is paid for now. So one whose
 * payment is late reads pro, not isPro, with the end that has passed. On the free tier both times are null, also after a subscription.
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
