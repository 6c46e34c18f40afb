import type { RateRule } from '../../core/rate-limits/token-bucket.ts';
import { widerNetwork } from '../../platform/caller-address.ts';
import { fingerprintOf } from '../../security/fingerprint.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { sharedBuckets, widened, withWider, type Allowance } from '../rate-limits/allowance.ts';
import { addressKey, type SignInLimits } from './sign-in-limits.ts';

/** Attempts allowed in a row: logins per 15 minutes, registrations per hour. They are refilled evenly over that time. */
export interface SignInNumbers {
  readonly loginsPerAddress: number;
  readonly loginsPerEmail: number;
  /** All addresses together. */
  readonly wrongLogins: number;
  readonly registrationsPerAddress: number;
  readonly registrationsPerEmail: number;
  /** Per hour. */
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
  const byAddress = (rule: RateRule) => {
    const [ofNarrow, ofWide] = [byKey(rule), byKey(widened(rule))];
    return (address: string): Allowance => {
      const around = widerNetwork(address);
      const wide = around === undefined ? undefined : ofWide(fingerprintOf(around));
      return { rule, take: withWider(ofNarrow(addressKey(address)), wide) };
    };
  };
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
