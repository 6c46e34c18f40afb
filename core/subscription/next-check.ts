import type { SubscriptionState } from './subscription-state.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The processor needs a moment to begin the next period; its event usually arrives first. */
const afterEndMs = 15 * second;
const soonestMs = minute;
const latestMs = 24 * hour;

/** A checkout that the customer may be paying: the processor's session lives for a day. */
export interface OpenCheckout {
  readonly openedAt: Date;
  readonly closesAt: Date;
}

/**
 * When the account is read again without an event, because the processor's events may never arrive (the endpoint was down for
 * days, or was never registered). `mayChange`: a subscription exists that gives nothing now but may again. null: nothing can
 * change without our own call.
 */
export function nextCheckAt(
  { state, checkout, mayChange }: { state: SubscriptionState; checkout: OpenCheckout | null; mayChange: boolean },
  now: Date,
): Date | null {
  const times = [
    stateCheck(state, now),
    checkout === null ? null : checkoutCheck(checkout, now),
    mayChange ? later(now, latestMs) : null,
  ];
  const due = times.filter((time) => time !== null).map((time) => time.getTime());
  return due.length === 0 ? null : new Date(Math.min(...due));
}

/** Right after the end of the paid time, then less and less often, but at least once a day. */
function stateCheck({ tier, paidUntil }: SubscriptionState, now: Date): Date | null {
  if (tier === 'free' || paidUntil === null) return null;
  const end = paidUntil.getTime() + afterEndMs;
  const waitMs = end > now.getTime() ? end - now.getTime() : backOff(now.getTime() - end);
  return later(now, Math.min(waitMs, latestMs));
}

/** The customer may pay until the checkout closes; one more check follows after that. */
function checkoutCheck({ openedAt, closesAt }: OpenCheckout, now: Date): Date | null {
  if (now > closesAt) return null;
  const waitMs = backOff(now.getTime() - openedAt.getTime());
  return later(now, Math.min(waitMs, closesAt.getTime() - now.getTime() + soonestMs));
}

/** The pause until the next check: half of the time that has passed already. */
const backOff = (sinceMs: number): number => Math.max(soonestMs, sinceMs / 2);

const later = (now: Date, ms: number): Date => new Date(now.getTime() + ms);
