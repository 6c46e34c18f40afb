import { LRUCache } from 'lru-cache';
import type { AccountId } from '../../core/ids.ts';
import { takeTokens, type RateRule, type RateState, type TokenBucket } from '../../core/rate-limits/token-bucket.ts';
import type { KeyHolder } from '../../core/scope.ts';
import { callerNetwork, widerNetwork } from '../../platform/caller-address.ts';
import { isApiKeyForm } from '../../security/api-key.ts';
import { fingerprintOf } from '../../security/fingerprint.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { takeSharedTokens } from '../../store/rate-limits/shared-bucket.ts';

/** Requests allowed at once, and how many per second are refilled. */
export interface RateSetting {
  readonly burst: number;
  readonly perSecond: number;
}

export interface RateSettings {
  /** Per API key. */
  readonly key: RateSetting;
  /** Per member under one API key; these calls count against the key, too. */
  readonly member: RateSetting;
  /** All sessions of one account together. */
  readonly account: RateSetting;
  /** Per address without a credential. */
  readonly address: RateSetting;
  /** Category conversions of one address. */
  readonly convert: RateSetting;
  /** Refused credentials of one address. */
  readonly failed: RateSetting;
}

export interface CallerLimits {
  byAddress(address: string): LocalAllowance;
  byConversions(address: string): LocalAllowance;
  /** Calls with wrong credentials. */
  byFailures(address: string): LocalAllowance;
  /** All sessions of an account together. */
  byAccount(accountId: AccountId): LocalAllowance;
  byKey(apiKey: string): LocalAllowance;
  /** A key's calls for one member: from the key's bucket and the member's. */
  byKeyAndMember(apiKey: string, member: AccountId): LocalAllowance;
  /** The member's bucket alone, for a call already charged to the key. */
  byMember(apiKey: string, member: AccountId): LocalAllowance;
  /** Keys that were valid a short while ago: their calls can be charged before they are checked again. */
  readonly known: KnownKeys;
  readonly blocks: Blocks;
}

export interface KnownKeys {
  has(apiKey: string): boolean;
  /** The account of a known key; undefined for an unknown key. */
  holderOf(apiKey: string): KeyHolder | undefined;
  remember(apiKey: string, holder: KeyHolder): void;
  forget(apiKey: string): void;
  /** The account that the key's reference (`X-Partner-Account`) meant at its last successful check. */
  memberOf(apiKey: string, reference: string): AccountId | undefined;
  rememberMember(apiKey: string, reference: string, member: AccountId): void;
  forgetMember(apiKey: string, reference: string): void;
  /** True once a second: then the reference is looked up again. */
  mayLookUp(apiKey: string, reference: string): boolean;
}

const lookUpEveryMs = 1_000;
const rememberedMax = 10_000;

/**
 * The limits of the HTTP interface in one API process, in memory. Only hashes of keys and addresses are stored. A reseller's key
 * has one bucket over all members, because one system calls with it. A further bucket per member keeps a loop over one member
 * from using up the calls of the others.
 */
export function createCallerLimits(
  settings: RateSettings,
  nowMs: () => number = () => performance.now(),
): CallerLimits {
  const ofKey = localBuckets(ruleOf('key', settings.key), nowMs);
  const ofMember = localBuckets(ruleOf('member', settings.member), nowMs);
  const ofConversions = localBuckets(ruleOf('convert', settings.convert), nowMs);
  const byKey = (apiKey: string) => ofKey(fingerprintOf(apiKey));
  const byMember = (apiKey: string, of: AccountId) => ofMember(`${fingerprintOf(apiKey)}:${of}`);
  return {
    byAddress: byNetwork(ruleOf('address', settings.address), nowMs),
    byConversions: (of) => ofConversions(fingerprintOf(callerNetwork(of))),
    byFailures: byNetwork(ruleOf('failed-credentials', settings.failed), nowMs),
    byKey,
    byMember,
    // The member's bucket first, so its refusals take nothing from the key.
    byKeyAndMember: (apiKey, of) => bothOf(byMember(apiKey, of), byKey(apiKey)),
    byAccount: localBuckets(ruleOf('account', settings.account), nowMs),
    known: createKnownKeys(nowMs),
    blocks: createBlocks(nowMs),
  };
}

const ruleOf = (name: string, { burst, perSecond }: RateSetting): RateRule => ({ name, capacity: burst, perSecond });

/** Limits per network of an address, and per /48 around it. */
function byNetwork(rule: RateRule, nowMs: () => number): (address: string) => LocalAllowance {
  const ofNarrow = localBuckets(rule, nowMs);
  const ofWide = localBuckets(widened(rule), nowMs);
  return (address) => {
    const around = widerNetwork(address);
    const narrow = ofNarrow(fingerprintOf(callerNetwork(address)));
    const wide = around === undefined ? undefined : ofWide(fingerprintOf(around));
    const giveBack = (points?: number): void => {
      narrow.giveBack(points);
      wide?.giveBack(points);
    };
    return { rule, take: withWider(narrow, wide), giveBack };
  };
}

function createKnownKeys(nowMs: () => number): KnownKeys {
  const keys = new LRUCache<string, KeyHolder>({ max: rememberedMax });
  const members = new LRUCache<string, AccountId>({ max: rememberedMax });
  const lookedUpAtMs = new LRUCache<string, number>({ max: rememberedMax });
  const pair = (apiKey: string, reference: string): string => `${fingerprintOf(apiKey)}:${reference}`;
  return {
    has: (apiKey) => keys.has(fingerprintOf(apiKey)),
    holderOf: (apiKey) => keys.get(fingerprintOf(apiKey)),
    remember: (apiKey, holder) => void keys.set(fingerprintOf(apiKey), holder),
    forget: (apiKey) => void keys.delete(fingerprintOf(apiKey)),
    memberOf: (apiKey, reference) => members.get(pair(apiKey, reference)),
    rememberMember: (apiKey, reference, member) => void members.set(pair(apiKey, reference), member),
    forgetMember: (apiKey, reference) => void members.delete(pair(apiKey, reference)),
    mayLookUp(apiKey, reference) {
      const [of, now] = [pair(apiKey, reference), nowMs()];
      if (now - (lookedUpAtMs.get(of) ?? -Infinity) < lookUpEveryMs) return false;
      lookedUpAtMs.set(of, now);
      return true;
    },
  };
}

/** The remaining calls of one caller: one token bucket, or two that are charged together. */
export interface Allowance {
  readonly rule: RateRule;
  /** Takes whole points, by default one. For two buckets, the state of the tighter one is returned. */
  take(points?: number): Promise<RateState>;
}

/** An allowance counted in this process alone: it costs no round trip, and `take` never fails. */
export interface LocalAllowance extends Allowance {
  /** Returns the points of a call that is refused for another reason. */
  giveBack(points?: number): void;
}

/** Beyond this number the least recently used keys are forgotten, which refills their buckets. */
const keysMax = 20_000;

/** Buckets of one rule in this process, by key. With N API processes a caller may have N times as much. */
function localBuckets(rule: RateRule, nowMs: () => number): (key: string) => LocalAllowance {
  const buckets = new LRUCache<string, TokenBucket>({ maxSize: keysMax, sizeCalculation: () => 1 });
  return (key) => ({
    rule,
    take(points = 1) {
      const { bucket, verdict } = takeTokens(rule, buckets.get(key), { points, nowMs: nowMs() });
      buckets.set(key, bucket);
      return Promise.resolve({ rule, verdict });
    },
    giveBack(points = 1) {
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
  });

/** Takes from both buckets or from neither. */
function bothOf(first: LocalAllowance, second: LocalAllowance): LocalAllowance {
  return {
    rule: first.rule,
    take: async (points) => {
      const one = await first.take(points);
      if (!one.verdict.allowed) return one;
      const other = await second.take(points);
      if (!other.verdict.allowed) first.giveBack(points);
      return tighter(one, other);
    },
    giveBack: (points) => {
      first.giveBack(points);
      second.giveBack(points);
    },
  };
}

/** Returns the state that refuses, else the one with less left. */
export const tighter = (one: RateState, other: RateState): RateState =>
  one.verdict.allowed && (!other.verdict.allowed || other.verdict.remaining <= one.verdict.remaining) ? other : one;

/** A /48, which one customer of a hosting company may own, gets the limit of this many addresses. */
const widerFactor = 8;
/** The rule for the wider network of an IPv6 address. */
export const widened = (rule: RateRule): RateRule => ({
  name: `${rule.name}-wide`,
  capacity: rule.capacity * widerFactor,
  perSecond: rule.perSecond * widerFactor,
});

/**
 * For IPv6 the wider network counts too, otherwise one caller could use 65,536 networks. The narrow bucket comes first, so a
 * refused call takes nothing from its neighbours. The answer has the name of the narrow rule, the only one that callers know.
 */
export const withWider = (narrow: Allowance, wide: Allowance | undefined): Allowance['take'] =>
  wide === undefined
    ? (points) => narrow.take(points)
    : async (points) => {
        const own = await narrow.take(points);
        return own.verdict.allowed
          ? { rule: narrow.rule, verdict: tighter(own, await wide.take(points)).verdict }
          : own;
      };

/** Addresses with too many refused credentials, as this process knows them. */
interface Blocks {
  block(address: string, seconds: number): void;
  /**
   * Seconds for which an unknown credential from this address is refused without a look-up; 0 when it is looked up. For a blocked
   * address a few keys are still looked up, each wrong one only once. So a right key becomes known although a neighbour keeps
   * trying a wrong one.
   */
  secondsFor(address: string, apiKey: string | undefined): number;
  noteWrong(apiKey: string): void;
}
const lookUps: RateRule = { name: 'look-ups', capacity: 20, perSecond: 2 };

function createBlocks(nowMs: () => number): Blocks {
  const untilMs = new LRUCache<string, number>({ max: rememberedMax });
  const buckets = new LRUCache<string, TokenBucket>({ max: rememberedMax });
  const wrong = new LRUCache<string, true>({ max: rememberedMax });
  const mayLookUp = (network: string, apiKey: string): boolean => {
    if (!isApiKeyForm(apiKey) || wrong.has(fingerprintOf(apiKey))) return false;
    const { bucket, verdict } = takeTokens(lookUps, buckets.get(network), { points: 1, nowMs: nowMs() });
    buckets.set(network, bucket);
    return verdict.allowed;
  };
  return {
    block: (of, seconds) => void untilMs.set(callerNetwork(of), nowMs() + seconds * 1000),
    secondsFor(of, apiKey) {
      const network = callerNetwork(of);
      const seconds = Math.max(0, Math.ceil(((untilMs.get(network) ?? 0) - nowMs()) / 1000));
      return seconds > 0 && apiKey !== undefined && mayLookUp(network, apiKey) ? 0 : seconds;
    },
    noteWrong: (apiKey) => void wrong.set(fingerprintOf(apiKey), true),
  };
}
