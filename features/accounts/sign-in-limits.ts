import { Refusal } from '../rules/errors.ts';
import type { RateRule } from './rules/token-bucket.ts';
import { callerNetwork } from '../../platform/caller-address.ts';
import { fingerprintOf } from '../../platform/security/fingerprint.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { byNetwork, sharedBuckets, type Allowance } from './caller-limits.ts';

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
  /** Mails to one address, so that strangers can't fill its mailbox through the service. */
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

/** Attempts allowed in a row: logins per 15 minutes, registrations per hour. They are refilled evenly over that time. */
export interface SignInNumbers {
  readonly loginsPerAddress: number;
  readonly loginsPerEmail: number;
  /** All addresses together. */
  readonly wrongLogins: number;
  readonly registrationsPerAddress: number;
  readonly registrationsPerEmail: number;
  /** Mails per hour. */
  readonly mailsPerEmail: number;
}

const quarterSeconds = 15 * 60;
const hourSeconds = 60 * 60;

/** The buckets are in the database and shared by all processes. A database error is thrown, because no login works without it. */
export function createSignInLimits(store: StoreConnection, numbers: SignInNumbers): SignInLimits {
  const ruleOf = (name: string, capacity: number, seconds: number): RateRule => ({
    name,
    capacity,
    perSecond: capacity / seconds,
  });
  const byKey = (rule: RateRule) => sharedBuckets(store, rule);
  const byAddress = (rule: RateRule) => byNetwork(rule, byKey, fingerprintOf);
  return {
    loginByAddress: byAddress(ruleOf('login-address', numbers.loginsPerAddress, quarterSeconds)),
    loginByEmail: byKey(ruleOf('login-email', numbers.loginsPerEmail, quarterSeconds)),
    loginByDevice: byKey(ruleOf('login-device', numbers.loginsPerEmail, quarterSeconds)),
    wrongLogins: countWrongLogins(byKey(ruleOf('login-wrong', numbers.wrongLogins, quarterSeconds))('all')),
    registerByAddress: byAddress(ruleOf('register-address', numbers.registrationsPerAddress, hourSeconds)),
    registerByEmail: byKey(ruleOf('register-email', numbers.registrationsPerEmail, hourSeconds)),
    mailByEmail: byKey(ruleOf('mail-email', numbers.mailsPerEmail, hourSeconds)),
  };
}

/** Only wrong logins take from the bucket, so before an attempt only the state after the last wrong login is known. */
function countWrongLogins(ofAll: Allowance): SignInLimits['wrongLogins'] {
  let manyUntilMs = -Infinity;
  return {
    async note() {
      const { allowed, resetSeconds } = (await ofAll.take()).verdict;
      if (!allowed) manyUntilMs = performance.now() + resetSeconds * 1000;
    },
    areMany: () => performance.now() < manyUntilMs,
  };
}
