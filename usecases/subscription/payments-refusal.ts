import { Refusal } from '../../core/errors.ts';
import { PaymentsUnavailable } from '../../gateways/payments/port.ts';
import type { Logger } from '../../platform/logger.ts';

const retryAfterSeconds = 30;

/** Returns 503 for an error of the payment processor, and logs its cause; returns any other error unchanged. */
export function refusalOf(error: unknown, logger: Logger): unknown {
  if (!(error instanceof PaymentsUnavailable)) return error;
  logger.warn({ problem: error.problem, reason: error.message }, 'payments.unavailable');
  const message =
    error.problem === 'not_configured'
      ? 'Subscriptions are not sold here: no payment processor is configured'
      : 'The payment processor can not be reached; try again';
  return new Refusal('UNAVAILABLE', message, { retryAfterSeconds, cause: error });
}
