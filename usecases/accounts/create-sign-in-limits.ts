import type { StoreConnection } from '../../store/database/connection.ts';
import { createRateLimiter, type RateLimiter, type RateLimiterOptions } from '../../store/rate-limits/rate-limiter.ts';
import { allowanceOf, widened, withWider, type Allowance } from '../rate-limits/allowance.ts';
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

export function createSignInLimits(
  store: StoreConnection,
  numbers: SignInNumbers,
  options: RateLimiterOptions = {},
): SignInLimits {
  const limiter = (name: string, capacity: number, seconds: number): RateLimiter =>
    createRateLimiter(store, { name, capacity, perSecond: capacity / seconds }, options);
  const byKey =
    (narrow: RateLimiter) =>
    (key: string): Allowance =>
      allowanceOf(narrow, key);
  const byAddress = (narrow: RateLimiter) => {
    const wide = createRateLimiter(store, widened(narrow.rule), options);
    return (address: string): Allowance =>
      withWider(allowanceOf(narrow, addressKey(address)), { limiter: wide, of: address });
  };
  return {
    loginByAddress: byAddress(limiter('login-address', numbers.loginsPerAddress, quarterSeconds)),
    loginByEmail: byKey(limiter('login-email', numbers.loginsPerEmail, quarterSeconds)),
    loginByDevice: byKey(limiter('login-device', numbers.loginsPerEmail, quarterSeconds)),
    wrongLogins: countWrongLogins(limiter('login-wrong', numbers.wrongLogins, quarterSeconds)),
    registerByAddress: byAddress(limiter('register-address', numbers.registrationsPerAddress, hourSeconds)),
    registerByEmail: byKey(limiter('register-email', numbers.registrationsPerEmail, hourSeconds)),
  };
}

/** Only wrong ones take from the bucket, so what is known before an attempt is how it stood after the last wrong one. */
function countWrongLogins(limiter: RateLimiter): SignInLimits['wrongLogins'] {
  let manyUntilMs = -Infinity;
  return {
    async note() {
      const { allowed, resetSeconds } = await limiter.consume('all');
      if (!allowed) manyUntilMs = performance.now() + resetSeconds * 1000;
    },
    areMany: () => performance.now() < manyUntilMs,
  };
}
