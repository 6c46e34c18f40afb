import { Refusal } from '../../core/errors.ts';
import { callerNetwork } from '../../platform/caller-address.ts';
import { fingerprintOf } from '../../security/fingerprint.ts';
import type { Allowance } from '../rate-limits/allowance.ts';

/** Against guessing passwords and looking for addresses that have an account. Each is shared by all processes. */
export interface SignInLimits {
  /** Of an address's network, and of the /48 around it. */
  loginByAddress(address: string): Allowance;
  /** From browsers that have never signed in to the account, taken together. */
  loginByEmail(fingerprint: string): Allowance;
  /** Of one browser that has, so that strangers can't use up its owner's attempts. */
  loginByDevice(device: string): Allowance;
  /** Wrong logins of all strangers together, wherever they come from. */
  readonly wrongLogins: {
    note(): Promise<void>;
    /** Whether there are more at the moment than people mistype. */
    areMany(): boolean;
  };
  /** Of an address's network, and of the /48 around it. */
  registerByAddress(address: string): Allowance;
  registerByEmail(fingerprint: string): Allowance;
}

/** Throws {@link Refusal} RATE_LIMITED. Spent before anything else is done, so that attempts made at once count too. */
export async function spendAttempt(allowance: Allowance, points = 1): Promise<void> {
  const rate = await allowance.take(points);
  if (rate.verdict.allowed) return;
  throw new Refusal('RATE_LIMITED', 'Too many attempts; try again later', {
    retryAfterSeconds: rate.verdict.resetSeconds,
    rate,
  });
}

/** Of the caller's network, because one machine may have a great many IPv6 addresses. */
export const addressKey = (address: string): string => fingerprintOf(callerNetwork(address));
