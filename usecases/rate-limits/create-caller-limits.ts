import type { AccountId } from '../../core/ids.ts';
import { callerNetwork } from '../../platform/caller-address.ts';
import { fingerprintOf } from '../../security/fingerprint.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { createRateLimiter, type RateLimiter, type RateLimiterOptions } from '../../store/rate-limits/rate-limiter.ts';
import { allowanceOf, bothOf, widened, withWider, type Allowance } from './allowance.ts';
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
  /** Of the calls for one member under one API key, which count against the key too. */
  readonly member: RateSetting;
  /** Of one account's sessions together. */
  readonly account: RateSetting;
  /** Of one address without a credential. */
  readonly address: RateSetting;
  /** Category conversions of one address. */
  readonly convert: RateSetting;
  /** Refused credentials of one address. */
  readonly failed: RateSetting;
}

export interface CallerLimits {
  byAddress(address: string): Allowance;
  byConversions(address: string): Allowance;
  /** Attempts with credentials that are not right. */
  byFailures(address: string): Allowance;
  /** All sessions of an account together. */
  byAccount(accountId: AccountId): Allowance;
  byKey(apiKey: string): Allowance;
  /** A key's calls for one member: from the key's bucket and the member's. */
  byKeyAndMember(apiKey: string, member: AccountId): Allowance;
  /** The member's bucket alone, for a call that the key has paid for. */
  byMember(apiKey: string, member: AccountId): Allowance;
  /** Keys that were right not long ago: their calls can be counted before they are checked again. */
  readonly known: KnownKeys;
  readonly blocks: Blocks;
}

export interface KnownKeys {
  has(apiKey: string): boolean;
  remember(apiKey: string): void;
  forget(apiKey: string): void;
  /** Whom a key's reference (`X-Partner-Account`) meant when it was last right. */
  memberOf(apiKey: string, reference: string): AccountId | undefined;
  rememberMember(apiKey: string, reference: string, member: AccountId): void;
  forgetMember(apiKey: string, reference: string): void;
  /** Whether it is time to look again whom the reference means: once a second says yes. */
  mayLookUp(apiKey: string, reference: string): boolean;
}

const lookUpEveryMs = 1_000;

/**
 * The limits of the HTTP interface over all API processes. Only fingerprints of keys and addresses leave this process. A reseller's
 * key has one bucket over all its members, as it is one system that calls, and beside it one for each member, so that what it does in
 * a loop for one of them leaves room for the others.
 */
export function createCallerLimits(
  store: StoreConnection,
  settings: RateSettings,
  options: RateLimiterOptions & { readonly nowMs?: () => number } = {},
): CallerLimits {
  const { nowMs = () => performance.now() } = options;
  const limiterOf = (name: string, { burst, perSecond }: RateSetting): RateLimiter =>
    createRateLimiter(store, { name, capacity: burst, perSecond }, options);
  const widerOf = ({ rule }: RateLimiter): RateLimiter => createRateLimiter(store, widened(rule), options);
  const key = limiterOf('key', settings.key);
  const member = limiterOf('member', settings.member);
  const account = limiterOf('account', settings.account);
  const address = limiterOf('address', settings.address);
  const convert = limiterOf('convert', settings.convert);
  const failed = limiterOf('failed-credentials', settings.failed);
  const wideAddress = widerOf(address);
  const wideFailed = widerOf(failed);
  const network = (of: string): string => fingerprintOf(callerNetwork(of));
  const byKey = (apiKey: string): Allowance => allowanceOf(key, fingerprintOf(apiKey));
  const byMember = (apiKey: string, of: AccountId): Allowance => allowanceOf(member, `${fingerprintOf(apiKey)}:${of}`);
  return {
    byAddress: (of) => withWider(allowanceOf(address, network(of)), { limiter: wideAddress, of }),
    byConversions: (of) => allowanceOf(convert, network(of)),
    byFailures: (of) => withWider(allowanceOf(failed, network(of)), { limiter: wideFailed, of }),
    byKey,
    byMember,
    // The member's first: what it refuses again and again costs nobody else anything, not even a look at the key's.
    byKeyAndMember: (apiKey, of) => bothOf(byMember(apiKey, of), byKey(apiKey)),
    byAccount: (accountId) => allowanceOf(account, accountId),
    known: createKnownKeys(nowMs),
    blocks: createBlocks(nowMs),
  };
}

function createKnownKeys(nowMs: () => number): KnownKeys {
  const keys = createBoundedMap<true>();
  const members = createBoundedMap<AccountId>();
  const lookedUpAtMs = createBoundedMap<number>();
  const pair = (apiKey: string, reference: string): string => `${fingerprintOf(apiKey)}:${reference}`;
  return {
    has: (apiKey) => keys.get(fingerprintOf(apiKey)) === true,
    remember: (apiKey) => keys.set(fingerprintOf(apiKey), true),
    forget: (apiKey) => keys.delete(fingerprintOf(apiKey)),
    memberOf: (apiKey, reference) => members.get(pair(apiKey, reference)),
    rememberMember: (apiKey, reference, member) => members.set(pair(apiKey, reference), member),
    forgetMember: (apiKey, reference) => members.delete(pair(apiKey, reference)),
    mayLookUp(apiKey, reference) {
      const [of, now] = [pair(apiKey, reference), nowMs()];
      if (now - (lookedUpAtMs.get(of) ?? -Infinity) < lookUpEveryMs) return false;
      lookedUpAtMs.set(of, now);
      return true;
    },
  };
}
