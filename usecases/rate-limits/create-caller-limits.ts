import { LRUCache } from 'lru-cache';
import type { AccountId } from '../../core/ids.ts';
import type { RateRule } from '../../core/rate-limits/token-bucket.ts';
import type { KeyHolder } from '../../core/scope.ts';
import { callerNetwork, widerNetwork } from '../../platform/caller-address.ts';
import { fingerprintOf } from '../../security/fingerprint.ts';
import { bothOf, localBuckets, widened, withWider, type LocalAllowance } from './allowance.ts';
import { createBlocks, type Blocks } from './create-blocks.ts';

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
  /** Attempts with credentials that are not right. */
  byFailures(address: string): LocalAllowance;
  /** All sessions of an account together. */
  byAccount(accountId: AccountId): LocalAllowance;
  byKey(apiKey: string): LocalAllowance;
  /** A key's calls for one member: from the key's bucket and the member's. */
  byKeyAndMember(apiKey: string, member: AccountId): LocalAllowance;
  /** The member's bucket alone, for a call already charged to the key. */
  byMember(apiKey: string, member: AccountId): LocalAllowance;
  /** Keys that were right not long ago: their calls can be counted before they are checked again. */
  readonly known: KnownKeys;
  readonly blocks: Blocks;
}

export interface KnownKeys {
  has(apiKey: string): boolean;
  /** Whose key it is; undefined for a key that is not known. */
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
