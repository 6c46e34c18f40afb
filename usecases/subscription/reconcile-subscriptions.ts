import { PaymentsUnavailable } from '../../gateways/payments/port.ts';
import { claimDueCheck } from '../../store/accounts/subscriptions.ts';
import { refreshSubscription, type RefreshContext } from './refresh-subscription.ts';

/** A claimed row becomes due again after this time, when the worker died or could not reach the processor. */
const retryAfterMs = 5 * 60_000;

/**
 * Reads one subscription whose events may be lost: when its paid time is over, while a checkout is open, and once a day. Returns
 * true when more may be due at once; false while the processor is unavailable.
 */
export async function reconcileSubscriptions(context: RefreshContext): Promise<boolean> {
  const now = context.now();
  const row = await claimDueCheck(context.store, { now, until: new Date(now.getTime() + retryAfterMs) });
  if (row === null) return false;
  try {
    await refreshSubscription(context, row._id);
    return true;
  } catch (error) {
    if (!(error instanceof PaymentsUnavailable)) throw error;
    context.logger.warn({ problem: error.problem, reason: error.message }, 'payments.unavailable');
    return false;
  }
}
