import { LRUCache } from 'lru-cache';
import type { AccountId } from '../rules/ids.ts';
import { takeTokens, type RateRule, type RateState, type TokenBucket } from './rules/token-bucket.ts';
import { callerNetwork, widerNetwork } from '../../platform/caller-address.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { takeSharedTokens } from './store/shared-bucket.ts';

/** Points allowed at once, and how many per second are refilled. Most calls cost one. */
export interface RateSetting {
  readonly burst: number;
  readonly perSecond: number;
}

export interface RateSettings {
  /** All API keys of one account together, with those of its sandbox. */
  readonly key: RateSetting;
  /** The calls of these keys for one member; they count against the keys, too. */
  readonly member: RateSetting;
  /** All sessions of one account together. */
  readonly account: RateSetting;
  /** Per address without a credential. */
  readonly address: RateSetting;
  /** Category conversions of one address. */
  readonly convert: RateSetting;
  /** Refused API keys of one address. */
  readonly failed: RateSetting;
}

export interface CallerLimits {
  byAddress(address: string): Allowance;
  byConversions(address: string): Allowance;
  /** Calls with wrong API keys. */
  byFailures(address: string): Allowance;
  /** All sessions of an account together. */
  byAccount(account: AccountId): Allowance;
  /** All keys of an account together. */
  byKeys(account: AccountId): Allowance;
  /** Calls of an account's keys for one member: from the bucket of the member and from that of the keys. */
  byMember(account: AccountId, member: AccountId): Allowance;
}

/**
 * The limits of the HTTP interface in one API process, in memory. The share of a member keeps a loop over one member from using
 * up the calls of the others.
 */
export function createCallerLimits(settings: RateSettings, nowMs = () => performance.now()): CallerLimits {
  const localBuckets = (rule: RateRule) => bucketsOf(rule, nowMs);
  const byKeys = localBuckets(ruleOf('key', settings.key));
  const ofMember = localBuckets(ruleOf('member', settings.member));
  const ofConversions = localBuckets(ruleOf('convert', settings.convert));
  return {
    byAddress: byNetwork(ruleOf('address', settings.address), localBuckets),
    byConversions: (address) => ofConversions(callerNetwork(address)),
    byFailures: byNetwork(ruleOf('failed-credentials', settings.failed), localBuckets),
    byAccount: localBuckets(ruleOf('account', settings.account)),
    byKeys,
    byMember: (account, member) => both(ofMember(`${account}:${member}`), byKeys(account)),
  };
}

const ruleOf = (name: string, { burst, perSecond }: RateSetting): RateRule => ({ name, capacity: burst, perSecond });

/** The remaining points of one caller: one token bucket, or two that are charged together. */
export interface Allowance {
  readonly rule: RateRule;
  /** Takes whole points, by default one. Of two buckets, the state of the tighter one is returned. */
  take(points?: number): Promise<RateState>;
  /**
   * Puts points back that were not used; a negative number takes points that are not there yet. No effect on a bucket that
   * processes share.
   */
  add(points: number): void;
}

/** Beyond this number the least recently used keys are forgotten, which refills their buckets. */
const keysMax = 20_000;

/** Buckets of one rule in this process, by key. With N API processes a caller may have N times as much. `take` never fails. */
function bucketsOf(rule: RateRule, nowMs: () => number): (key: string) => Allowance {
  const buckets = new LRUCache<string, TokenBucket>({ maxSize: keysMax, sizeCalculation: () => 1 });
  return (key) => ({
    rule,
    take(points = 1) {
      const { bucket, verdict } = takeTokens(rule, buckets.get(key), { points, nowMs: nowMs() });
      buckets.set(key, bucket);
      return Promise.resolve({ rule, verdict });
    },
    add(points) {
      const bucket = buckets.get(key);
      if (bucket !== undefined)
        buckets.set(key, { ...bucket, tokens: Math.min(rule.capacity, bucket.tokens + points) });
    },
  });
}

/** Buckets of one rule that all processes share, by key. `take` throws the database's error. */
export const sharedBuckets =
  (store: StoreConnection, rule: RateRule) =>
  (key: string): Allowance => ({
    rule,
    take: async (points = 1) => ({ rule, verdict: await takeSharedTokens(store, rule, { key, points }) }),
    add: () => undefined,
  });

/** Takes from both buckets or from neither. What the first refuses takes nothing from the second. */
function both(first: Allowance, second: Allowance): Allowance {
  return {
    rule: first.rule,
    take: async (points = 1) => {
      const one = await first.take(points);
      if (!one.verdict.allowed) return one;
      const other = await second.take(points);
      if (!other.verdict.allowed) first.add(points);
      return other.verdict.allowed && other.verdict.remaining > one.verdict.remaining ? one : other;
    },
    add: (points) => {
      first.add(points);
      second.add(points);
    },
  };
}

/** A /48, which one customer of a hosting company may own, gets the limit of this many addresses. */
const widerFactor = 8;

/**
 * Limits per network of an address. For IPv6 the /48 around it counts too, or one caller could use 65,536 networks. Callers know
 * both by one name. @param keyOf turns a network into the key of its bucket
 */
export function byNetwork(
  rule: RateRule,
  newBuckets: (rule: RateRule) => (key: string) => Allowance,
  keyOf: (network: string) => string = (network) => network,
): (address: string) => Allowance {
  const ofNarrow = newBuckets(rule);
  const { name, capacity, perSecond } = rule;
  const ofWide = newBuckets({ name, capacity: capacity * widerFactor, perSecond: perSecond * widerFactor });
  return (address) => {
    const narrow = ofNarrow(keyOf(callerNetwork(address)));
    const around = widerNetwork(address);
    return around === undefined ? narrow : both(narrow, ofWide(keyOf(around)));
  };
}
