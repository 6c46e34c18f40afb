import { Refusal } from '../../core/errors.ts';
import type { RateRule, RateVerdict } from '../../core/rate-limits/rate-rule.ts';
import { callerNetwork } from '../../platform/caller-address.ts';
import { fingerprintOf } from '../../security/fingerprint.ts';

/** What spends from a limit; store/rate-limiter.ts makes them. */
export interface Limiter {
  readonly rule: RateRule;
  consume(key: string): Promise<RateVerdict>;
}

/** Against guessing passwords and looking for addresses that have an account. Each is shared by all processes. */
export interface SignInLimits {
  readonly loginByAddress: Limiter;
  /** From browsers that have never signed in to the account, taken together. */
  readonly loginByEmail: Limiter;
  /** Of one browser that has, so that strangers can't use up its owner's attempts. */
  readonly loginByDevice: Limiter;
  readonly registerByAddress: Limiter;
  readonly registerByEmail: Limiter;
}

/** Throws {@link Refusal} RATE_LIMITED. Spent before anything else is done, so that attempts made at once count too. */
export async function spendAttempt(limiter: Limiter, key: string): Promise<void> {
  const verdict = await limiter.consume(key);
  if (verdict.allowed) return;
  const rate = { rule: limiter.rule, verdict };
  throw new Refusal('RATE_LIMITED', 'Too many attempts; try again later', {
    retryAfterSeconds: verdict.resetSeconds,
    rate,
  });
}

/** Of the caller's network, because one machine may have a great many IPv6 addresses. */
export const addressKey = (address: string): string => fingerprintOf(callerNetwork(address));
