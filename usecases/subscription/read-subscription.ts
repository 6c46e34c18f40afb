import type { Scope } from '../../core/scope.ts';
import { describeSubscription, freeState, type SubscriptionView } from '../../core/subscription/subscription.ts';
import { findSubscription } from '../../store/accounts/subscriptions.ts';
import type { Context } from '../context.ts';

/** Reads the stored state against the service's own clock, without a call of the processor. */
export async function readSubscription(
  { store, now }: Pick<Context, 'store' | 'now'>,
  scope: Scope,
): Promise<SubscriptionView> {
  const row = await findSubscription(store, scope.actingAccountId);
  return describeSubscription(row?.state ?? freeState, now());
}
