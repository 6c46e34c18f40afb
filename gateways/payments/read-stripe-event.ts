import { isUtf8 } from 'node:buffer';
import Stripe from 'stripe';
import type { HeldStatus, HeldSubscription } from '../../features/partner/rules/subscription.ts';
import { InvalidPaymentEvent, PaymentsUnavailable, type Checkout, type PaymentEvent } from './port.ts';

export interface SignedBytes {
  readonly bytes: Buffer;
  /** Value of `Stripe-Signature`. */
  readonly signature: string | undefined;
}

/** Maximum age of a signature, so that a recorded event can't be sent again later. */
const toleranceSeconds = 300;

/**
 * Returns the event if one of the secrets proves that the processor signed exactly these bytes a short while ago.
 * During a rotation there are two secrets, and the processor signs with both. Throws {@link InvalidPaymentEvent}.
 */
export function readStripeEvent(
  { bytes, signature }: SignedBytes,
  { secrets, now }: { secrets: readonly string[]; now: () => Date },
): PaymentEvent {
  if (signature === undefined || !isUtf8(bytes)) throw new InvalidPaymentEvent('not signed');
  for (const secret of secrets) {
    const event = verified({ bytes, signature }, secret, now());
    if (event !== undefined) return paymentEventOf(event);
  }
  throw new InvalidPaymentEvent('no secret fits the signature, or it is too old');
}

/** Returns undefined when the bytes are not signed with this secret, or the signature is too old. */
function verified({ bytes, signature }: { bytes: Buffer; signature: string }, secret: string, now: Date): unknown {
  try {
    return Stripe.webhooks.constructEvent(bytes, signature, secret, toleranceSeconds, undefined, now.getTime());
  } catch (error) {
    // The message names the expected signature and is dropped: a caller without the secret must not learn it.
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return undefined;
    throw new InvalidPaymentEvent('signed, but not an event', { cause: error });
  }
}

function paymentEventOf(event: unknown): PaymentEvent {
  const [id, type] = [textOf(member(event, 'id')), textOf(member(event, 'type'))];
  const created = member(event, 'created');
  const createdAt = new Date(typeof created === 'number' ? created * 1_000 : Number.NaN);
  if (id === null || type === null || Number.isNaN(createdAt.getTime())) throw new InvalidPaymentEvent('not an event');
  const object = member(member(event, 'data'), 'object');
  return {
    id,
    type,
    createdAt,
    customerId:
      type.startsWith('customer.') && member(object, 'object') === 'customer'
        ? idOf(object)
        : idOf(member(object, 'customer')),
    accountId: accountOf(object),
  };
}

/**
 * A checkout has the account itself. An invoice repeats the metadata of its subscription; the place depends on the API version.
 */
function accountOf(object: unknown): string | null {
  const details = member(member(object, 'parent'), 'subscription_details') ?? member(object, 'subscription_details');
  return (
    textOf(member(member(object, 'metadata'), accountKey)) ??
    textOf(member(member(details, 'metadata'), accountKey)) ??
    textOf(member(object, 'client_reference_id'))
  );
}

/** The key of our metadata on customers, checkouts and subscriptions. */
export const accountKey = 'accountId';

// All values are checked here, because the SDK's types promise more than the server guarantees.

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** An object, or its id alone. */
const idOf = (value: unknown): string | null => textOf(value) ?? textOf(member(value, 'id'));

/** The checkout in a session of the SDK. Throws {@link PaymentsUnavailable} when a needed field is missing. */
export function checkoutOf(session: unknown): Checkout {
  const state = member(session, 'status');
  if (state !== 'open' && state !== 'complete' && state !== 'expired') throw unusable('checkout');
  const url = textOf(member(session, 'url'));
  if (state === 'open' && url === null) throw unusable('checkout');
  return { id: neededId(session), state, url, expiresAt: neededTime(member(session, 'expires_at')) };
}

/** A required id. Throws {@link PaymentsUnavailable} when it is missing. */
export function neededId(value: unknown): string {
  const id = textOf(member(value, 'id'));
  if (id === null) throw unusable('id');
  return id;
}

/** Since API version 2025-03-31 the period is on the items. Of several items the longest paid one counts. */
export function heldSubscriptionOf(subscription: unknown): HeldSubscription {
  const items = member(member(subscription, 'items'), 'data');
  if (!Array.isArray(items) || items.length === 0) throw unusable('subscription');
  const periods = items.map((item) => ({
    start: neededTime(member(item, 'current_period_start')),
    end: neededTime(member(item, 'current_period_end')),
  }));
  const period = periods.reduce((longest, one) => (one.end > longest.end ? one : longest));
  return {
    id: neededId(subscription),
    accountId: textOf(member(member(subscription, 'metadata'), accountKey)),
    status: statusOf(member(subscription, 'status')),
    startedAt: neededTime(member(subscription, 'start_date')),
    periodStart: period.start,
    periodEnd: period.end,
    endsAt: endOf(subscription, period.end),
  };
}

function endOf(subscription: unknown, periodEnd: Date): Date | null {
  const cancelAt = member(subscription, 'cancel_at');
  if (typeof cancelAt === 'number') return neededTime(cancelAt);
  return member(subscription, 'cancel_at_period_end') === true ? periodEnd : null;
}

const statusOf = (status: unknown): HeldStatus =>
  status === 'active' || status === 'trialing' || status === 'past_due' ? status : 'other';

/** Whole seconds since 1970. */
function neededTime(seconds: unknown): Date {
  if (typeof seconds !== 'number' || !Number.isSafeInteger(seconds) || seconds < 0) throw unusable('time');
  return new Date(seconds * 1_000);
}

const unusable = (what: string): PaymentsUnavailable =>
  new PaymentsUnavailable('unusable_answer', `the payment processor's answer has no usable ${what}`);
