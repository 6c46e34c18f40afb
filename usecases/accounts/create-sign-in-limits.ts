import type { RateRule } from '../../core/rate-limits/rate-rule.ts';
import type { StoreConnection } from '../../store/connection.ts';
import { createRateLimiter, type RateLimiterOptions } from '../../store/rate-limiter.ts';
import type { SignInLimits } from './sign-in-limits.ts';

/** How many attempts in a row: logins in a quarter of an hour, registrations in an hour. They come back evenly over that time. */
export interface SignInNumbers {
  readonly loginsPerAddress: number;
  readonly loginsPerEmail: number;
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
  const limiter = (name: string, capacity: number, seconds: number) => {
    const rule: RateRule = { name, capacity, perSecond: capacity / seconds };
    return createRateLimiter(store, rule, options);
  };
  return {
    loginByAddress: limiter('login-address', numbers.loginsPerAddress, quarterSeconds),
    loginByEmail: limiter('login-email', numbers.loginsPerEmail, quarterSeconds),
    loginByDevice: limiter('login-device', numbers.loginsPerEmail, quarterSeconds),
    registerByAddress: limiter('register-address', numbers.registrationsPerAddress, hourSeconds),
    registerByEmail: limiter('register-email', numbers.registrationsPerEmail, hourSeconds),
  };
}
