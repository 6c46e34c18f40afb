import type { HeldStatus, HeldSubscription } from '../../core/subscription/subscription.ts';
import { PaymentsUnavailable, type Checkout } from './port.ts';

/** The key of our metadata on customers, checkouts and subscriptions. */
export const accountKey = 'accountId';

// All values are checked here, because the SDK's types promise more than the server guarantees.

export const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;

export const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** An object, or its id alone. */
export const idOf = (value: unknown): string | null => textOf(value) ?? textOf(member(value, 'id'));

export function checkoutOf(session: unknown): Checkout {
  const state = member(session, 'status');
  if (state !== 'open' && state !== 'complete' && state !== 'expired') throw unusable('checkout');
  const url = textOf(member(session, 'url'));
  if (state === 'open' && url === null) throw unusable('checkout');
  return { id: neededId(session), state, url, expiresAt: neededTime(member(session, 'expires_at')) };
}

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
