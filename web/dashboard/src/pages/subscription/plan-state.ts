export type PlanState = 'free' | 'pro' | 'late';

/** late: there is a subscription, but its paid time is over. */
export function planState({ tier, isPro }: { readonly tier: 'free' | 'pro'; readonly isPro: boolean }): PlanState {
  if (isPro) return 'pro';
  return tier === 'pro' ? 'late' : 'free';
}
