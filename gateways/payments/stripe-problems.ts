import Stripe from 'stripe';
import { describeNetworkProblem } from '../../platform/network-problem.ts';
import { PaymentsUnavailable } from './port.ts';

const { StripeConnectionError, StripeError, StripeInvalidRequestError } = Stripe.errors;

/** True when the processor itself says that it knows no object of this id (for the given parameter, if any). */
export const isMissing = (error: unknown, parameter?: string): boolean =>
  error instanceof StripeInvalidRequestError &&
  error.code === 'resource_missing' &&
  (parameter === undefined || error.param === undefined || error.param === parameter);

/** Errors of the SDK quote the processor, perhaps with part of the key or personal data, so only their kind is kept. */
export function asPaymentsUnavailable(error: unknown): PaymentsUnavailable {
  if (error instanceof PaymentsUnavailable) return error;
  if (error instanceof StripeConnectionError) return connectionProblem(error);
  const status = error instanceof StripeError ? error.statusCode : undefined;
  if (status === undefined || status < 400)
    return new PaymentsUnavailable('unusable_answer', "the payment processor's answer is unreadable");
  const kind = status === 408 || status === 409 || status === 429 || status >= 500 ? 'overloaded' : 'refused';
  return new PaymentsUnavailable(kind, `the payment processor answered HTTP ${status}`);
}

function connectionProblem(error: Error & { detail?: unknown }): PaymentsUnavailable {
  if (/due to timeout/.test(error.message))
    return new PaymentsUnavailable('timeout', 'the payment processor did not answer in time');
  const { message } = describeNetworkProblem(error.detail);
  return new PaymentsUnavailable('unreachable', `the payment processor is out of reach: ${message}`);
}
