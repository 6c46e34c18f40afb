import type { AccountId } from '../../rules/ids.ts';

/** The operations of the marketplace that the service calls (protocol 8). */
export const callMethods = [
  'create',
  'image',
  'commit',
  'results',
  'item',
  'price',
  'prices',
  'end',
  'seller_items',
  'updated_items',
  'transactions',
  'orders',
  'ship',
  'time',
  'me',
] as const;
export type CallMethod = (typeof callMethods)[number];

/**
 * How the marketplace limits our application: so many calls a day of each method, or of all together. Sources differ, so it is a
 * setting.
 */
export const callLimits = ['together', 'per_method'] as const;
export type CallLimit = (typeof callLimits)[number];

/** What calls are counted as: a method, or `all`. */
export const countedMethods = ['all', ...callMethods] as const;
export type CountedMethod = (typeof countedMethods)[number];
export type CallCounts = Partial<Readonly<Record<CallMethod, number>>>;

/** Purpose of a call, the most urgent first (protocol 8). */
export type CallPurpose = 'take_down' | 'publish' | 'price' | 'feed';

/** Part of a budget that a purpose leaves to more urgent ones, where it shares a budget with them. */
const leavesToOthers: Readonly<Record<CallPurpose, number>> = { take_down: 0, publish: 0.1, price: 0.2, feed: 0.4 };

/** Methods that calls of several purposes use. */
const sharedMethods: ReadonlySet<CountedMethod> = new Set(['all', 'item', 'seller_items', 'time', 'me']);

/** The part of a budget that looks may use. */
const looksMax = 1 - leavesToOthers.feed;

/**
 * Part of a budget that is divided evenly among the accounts; the rest is first come, first served. That of looks is divided entirely:
 * every account is looked at equally often.
 */
const sharedOut: Readonly<Record<CallPurpose, number>> = { take_down: 0.5, publish: 0.5, price: 0.5, feed: 1 };

/** Use of one method on one UTC day, before the calls that are asked for. */
export interface CallUse {
  readonly total: number;
  readonly byAccount: ReadonlyMap<AccountId, number>;
  /** Number of accounts that used the method the day before: the same number is expected today. */
  readonly accountsDayBefore: number;
  /** Until this time the marketplace itself reported that no calls are left. */
  readonly exhaustedUntil: Date | null;
}

export interface CallRequest {
  readonly account: AccountId;
  readonly method: CountedMethod;
  /** The calls complete a publication: a refusal would waste those before them, whose `create` was divided evenly. */
  readonly isLast?: boolean;
  readonly purpose: CallPurpose;
  readonly calls: number;
  readonly now: Date;
}

export type CallDecision = { readonly kind: 'granted' } | { readonly kind: 'wait'; readonly until: Date };

export const dayMs = 86_400_000;
/** Unused calls are sometimes given back, so a waiting caller asks again after this time at the latest. */
const lookAgainMs = 3_600_000;
const granted: CallDecision = { kind: 'granted' };

/**
 * Whether calls may be made now. Each account may use an even share. Beyond it, an account gets what is left after the unused
 * shares of the others. The part kept for them shrinks during the day, so that by midnight no calls are wasted. One further
 * share is kept for an account that has made no call yet.
 */
export function decideCalls(callsPerDay: number, use: CallUse, request: CallRequest): CallDecision {
  const { account, method, purpose, calls, isLast = false, now } = request;
  if (use.exhaustedUntil !== null && use.exhaustedUntil > now) return { kind: 'wait', until: use.exhaustedUntil };
  const leaves = sharedMethods.has(method) && !isLast ? leavesToOthers[purpose] : 0;
  const budget = Math.floor(callsPerDay * (1 - leaves));
  const left = budget - use.total - calls;
  if (left < 0) return waitUntil(nextMidnight(now).getTime(), now);
  if (isLast) return granted;
  const share = shareOf(budget * sharedOut[purpose], use, account);
  if ((use.byAccount.get(account) ?? 0) + calls <= share.calls) return granted;
  if (keptForOthers(share, 1 - elapsedPart(now)) <= left) return granted;
  // By then, at the latest, the kept part has shrunk enough.
  const meltedAt = midnightBefore(now) + (1 - (left + 1) / (share.unusedByOthers.length * share.calls)) * dayMs;
  return waitUntil(Math.max(Math.ceil(meltedAt) + 1, now.getTime() + 1), now);
}

interface Share {
  /** Calls that one account may use in any case. */
  readonly calls: number;
  /** For each other account, the unused calls of its share. */
  readonly unusedByOthers: readonly number[];
}

function shareOf(sharedCalls: number, use: CallUse, account: AccountId): Share {
  const others = [...use.byAccount].filter(([id]) => id !== account).map(([, used]) => used);
  const accounts = Math.max(others.length + 1, use.accountsDayBefore) + 1;
  const calls = Math.max(1, Math.floor(sharedCalls / accounts));
  const ofUnseen = Array.from({ length: accounts - 1 - others.length }, () => calls);
  return { calls, unusedByOthers: [...others.map((used) => Math.max(0, calls - used)), ...ofUnseen] };
}

/** Assumes that an account needs at most the same fraction of its share as is left of the day. */
function keptForOthers({ calls, unusedByOthers }: Share, restOfDay: number): number {
  return Math.floor(unusedByOthers.reduce((sum, unused) => sum + Math.min(unused, calls * restOfDay), 0));
}

/** Calls of a publication with `pictures` pictures until it is live: the shortest case and one further `results` call. */
export const callsOfPublication = (pictures: number): CallCounts => ({
  create: 1,
  image: pictures,
  commit: 1,
  results: 2,
  item: 1,
});

/** The UTC day as `YYYY-MM-DD`: the marketplace counts anew at midnight UTC. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

const waitUntil = (atMs: number, now: Date): CallDecision => ({
  kind: 'wait',
  until: new Date(Math.min(atMs, now.getTime() + lookAgainMs)),
});

const midnightBefore = (at: Date): number => Math.floor(at.getTime() / dayMs) * dayMs;
export const nextMidnight = (at: Date): Date => new Date(midnightBefore(at) + dayMs);
const elapsedPart = (at: Date): number => (at.getTime() - midnightBefore(at)) / dayMs;

export interface LookPlan {
  /** The configured pause between two looks at an account. */
  readonly settingMs: number;
  readonly callsPerDay: number;
  readonly limit: CallLimit;
  /** Number of accounts that are looked at. */
  readonly watchedAccounts: number;
  /** Calls that this look made: with all calls counted together it is followed by a pause for each. */
  readonly calls: number;
}

/** The pause until the next look at an account: the setting, or longer when the call budget requires it (protocol 8). */
export function lookIntervalMs({ settingMs, callsPerDay, limit, watchedAccounts, calls }: LookPlan): number {
  const callsPerLook = limit === 'together' ? Math.max(1, calls) : 1;
  return Math.max(settingMs, Math.ceil((watchedAccounts * callsPerLook * dayMs) / Math.max(1, callsPerDay * looksMax)));
}

/**
 * The pause between two questions for a hint that something changed, which bring the next look forward. They have a budget of their own
 * where methods are counted apart, and are asked only where they come oftener than looks. null: never.
 */
export function hintIntervalMs({ settingMs, ...plan }: Omit<LookPlan, 'calls'>): number | null {
  if (plan.limit === 'together') return null;
  const hintMs = lookIntervalMs({ ...plan, settingMs: settingMs / 4, calls: 1 });
  return hintMs < lookIntervalMs({ ...plan, settingMs, calls: 1 }) ? hintMs : null;
}

const sandboxLookMaxMs = 60_000;

/** The same for a sandbox: its user waits for the result, and no call budget must last for the day. */
export const sandboxLookIntervalMs = (settingMs: number): number => Math.min(settingMs, sandboxLookMaxMs);
