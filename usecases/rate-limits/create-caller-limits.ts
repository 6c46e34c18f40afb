import type { AccountId } from '../../core/ids.ts';
import type { RateRule, RateVerdict } from '../../core/rate-limits/rate-rule.ts';
import { callerNetwork, widerNetwork } from '../../platform/caller-address.ts';
import { fingerprintOf } from '../../security/fingerprint.ts';
import type { StoreConnection } from '../../store/connection.ts';
import { createRateLimiter, type RateLimiter, type RateLimiterOptions } from '../../store/rate-limiter.ts';
import { createBlocks, type Blocks } from './create-blocks.ts';
import { createBoundedMap } from './create-bounded-map.ts';

/** Requests that may come at once, and how many a second come back. */
export interface RateSetting {
  readonly burst: number;
  readonly perSecond: number;
}

export interface RateSettings {
  /** Of one API key. */
  readonly key: RateSetting;
  /** Of one account's sessions together. */
  readonly account: RateSetting;
  /** Of one address without a credential. */
  readonly address: RateSetting;
  /** Category conversions of one address. */
  readonly convert: RateSetting;
  /** Refused credentials of one address. */
  readonly failed: RateSetting;
}

/** One bucket: a rule and whose calls it counts. */
export interface Allowance {
  readonly rule: RateRule;
  /** Never throws. */
  take(points?: number): Promise<RateVerdict>;
}

export interface CallerLimits {
  byAddress(address: string): Allowance;
  byConversions(address: string): Allowance;
  /** Attempts with credentials that are not right. */
  byFailures(address: string): Allowance;
  /** All sessions of an account together. */
  byAccount(accountId: AccountId): Allowance;
  byKey(apiKey: string): Allowance;
  /** Keys that were right not long ago: their calls can be counted before they are checked again. */
  readonly known: KnownKeys;
  readonly blocks: Blocks;
}

export interface KnownKeys {
  has(apiKey: string): boolean;
  remember(apiKey: string): void;
  forget(apiKey: string): void;
}

/**
 * The limits of the HTTP interface over all API processes. Only fingerprints of keys and addresses leave this process. A reseller's key has one bucket over all its members: it is one system that calls.
 */
export function createCallerLimits(
  store: StoreConnection,
  settings: RateSettings,
  options: RateLimiterOptions & { readonly nowMs?: () => number } = {},
): CallerLimits {
  const { nowMs = () => performance.now() } = options;
  const limiterOf = (name: string, { burst, perSecond }: RateSetting): RateLimiter =>
    createRateLimiter(store, { name, capacity: burst, perSecond }, options);
  const key = limiterOf('key', settings.key);
  const account = limiterOf('account', settings.account);
  const address = limiterOf('address', settings.address);
  const convert = limiterOf('convert', settings.convert);
  const failed = limiterOf('failed-credentials', settings.failed);
  const wideAddress = limiterOf('address-wide', widened(settings.address));
  const wideFailed = limiterOf('failed-credentials-wide', widened(settings.failed));
  const known = createBoundedMap<true>();
  const network = (of: string): string => fingerprintOf(callerNetwork(of));
  return {
    byAddress: (of) => withWider(allowanceOf(address, network(of)), { limiter: wideAddress, of }),
    byConversions: (of) => allowanceOf(convert, network(of)),
    byFailures: (of) => withWider(allowanceOf(failed, network(of)), { limiter: wideFailed, of }),
    byKey: (apiKey) => allowanceOf(key, fingerprintOf(apiKey)),
    byAccount: (accountId) => allowanceOf(account, accountId),
    known: {
      has: (apiKey) => known.get(fingerprintOf(apiKey)) === true,
      remember: (apiKey) => known.set(fingerprintOf(apiKey), true),
      forget: (apiKey) => known.delete(fingerprintOf(apiKey)),
    },
    blocks: createBlocks(nowMs),
  };
}

const allowanceOf = (limiter: RateLimiter, key: string): Allowance => ({
  rule: limiter.rule,
  take: (points) => limiter.consume(key, points),
});

/** A /48, which one customer of a hoster may have, is worth as much as this many addresses. */
const widerFactor = 8;
const widened = ({ burst, perSecond }: RateSetting): RateSetting => ({
  burst: burst * widerFactor,
  perSecond: perSecond * widerFactor,
});

/**
 * Of IPv6 the network around counts too, or 65,536 networks of one caller would each be a caller. The narrow one first, so
 * that what it refuses is not taken from its neighbours.
 */
function withWider(
  narrow: Allowance,
  { limiter, of }: { readonly limiter: RateLimiter; readonly of: string },
): Allowance {
  const network = widerNetwork(of);
  if (network === undefined) return narrow;
  const take = async (points?: number): Promise<RateVerdict> => {
    const verdict = await narrow.take(points);
    if (!verdict.allowed) return verdict;
    const wide = await limiter.consume(fingerprintOf(network), points);
    return wide.allowed && wide.remaining >= verdict.remaining ? verdict : wide;
  };
  return { rule: narrow.rule, take };
}
