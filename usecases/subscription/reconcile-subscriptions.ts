import { PaymentsUnavailable } from '../../gateways/payments/port.ts';
import { claimDueCheck } from '../../store/accounts/subscriptions.ts';
import { refreshSubscription, type RefreshContext } from './refresh-subscription.ts';

/** Whoever took a row and died, or could not reach the processor, leaves it to the next one after this time. */
const retryAfterMs = 5 * 60_000;

/**
 * Reads one subscription whose events may have been lost: when its paid time is over, while a checkout is open, and once a day.
 * Answers whether there may be more to do at once; not while the processor is out of reach.
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
