import type { RateRule } from '../../core/rate-limits/rate-rule.ts';
import { widerNetwork } from '../../platform/caller-address.ts';
import { fingerprintOf } from '../../security/fingerprint.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { sharedBuckets, widened, withWider, type Allowance } from '../rate-limits/allowance.ts';
import { addressKey, type SignInLimits } from './sign-in-limits.ts';

/** How many attempts in a row: logins in a quarter of an hour, registrations in an hour. They come back evenly over that time. */
export interface SignInNumbers {
  readonly loginsPerAddress: number;
  readonly loginsPerEmail: number;
  /** Of all addresses together. */
  readonly wrongLogins: number;
  readonly registrationsPerAddress: number;
  readonly registrationsPerEmail: number;
}

const quarterSeconds = 15 * 60;
const hourSeconds = 60 * 60;

/** Shared by all processes, in the database: its error is thrown, as nobody could be signed in without it. */
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
  };
}

/** Only wrong ones take from the bucket, so what is known before an attempt is how it stood after the last wrong one. */
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
