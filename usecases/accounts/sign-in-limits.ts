import { Refusal } from '../../core/errors.ts';
import { callerNetwork } from '../../platform/caller-address.ts';
import { fingerprintOf } from '../../security/fingerprint.ts';
import type { Allowance } from '../rate-limits/allowance.ts';

/** Limits against guessing passwords and probing for addresses that have an account. All processes share each limit. */
export interface SignInLimits {
  /** Per network of an address, and per /48 around it. */
  loginByAddress(address: string): Allowance;
  /** All browsers together that have never signed in to the account. */
  loginByEmail(fingerprint: string): Allowance;
  /** One browser that has signed in before, so unknown browsers can't use up its owner's attempts. */
  loginByDevice(device: string): Allowance;
  /** Wrong logins of all unknown browsers together, from any address. */
  readonly wrongLogins: {
    note(): Promise<void>;
    /** True while there are more than mistyped passwords explain. */
    areMany(): boolean;
  };
  /** Per network of an address, and per /48 around it. */
  registerByAddress(address: string): Allowance;
  registerByEmail(fingerprint: string): Allowance;
  /** Mails to one address, so that no stranger fills its mailbox through us. */
  mailByEmail(fingerprint: string): Allowance;
}

/** Takes one attempt before any other work, so attempts made at once count too. Throws {@link Refusal} RATE_LIMITED. */
export async function spendAttempt(allowance: Allowance, points = 1): Promise<void> {
  const rate = await allowance.take(points);
  if (rate.verdict.allowed) return;
  throw new Refusal('RATE_LIMITED', 'Too many attempts; try again later', {
    retryAfterSeconds: rate.verdict.resetSeconds,
    rate,
  });
}

/** Names the caller's network, not its address, because one machine may have a great many IPv6 addresses. */
export const addressKey = (address: string): string => fingerprintOf(callerNetwork(address));
