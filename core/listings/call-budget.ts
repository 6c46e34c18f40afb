import type { AccountId } from '../ids.ts';

/** The marketplace's methods, each with a budget of its own (protocol 8). */
export const callMethods = [
  'create',
  'image',
  'commit',
  'results',
  'seller_items',
  'revise',
  'price',
  'remove',
  'updated_items',
  'transactions',
  'orders',
  'ship',
] as const;
export type CallMethod = (typeof callMethods)[number];
export type CallCounts = Partial<Readonly<Record<CallMethod, number>>>;

/** Purpose of a call, the most urgent first (protocol 8). */
export type CallPurpose = 'take_down' | 'publish' | 'revise' | 'feed';

/**
 * Part of a budget that a purpose leaves to more urgent ones. Only revisions share methods (pictures, commit, results) with a
 * more urgent purpose. Take-downs and feeds have methods of their own, so they compete with no other purpose.
 */
const leavesToOthers: Readonly<Record<CallPurpose, number>> = { take_down: 0, publish: 0, revise: 0.1, feed: 0 };

/**
 * Part of a budget that is divided evenly among the accounts; the rest is first come, first served. Feeds are divided entirely:
 * every account is polled equally often, so an account with a long feed takes no calls that the others need.
 */
const sharedOut: Readonly<Record<CallPurpose, number>> = { take_down: 0.5, publish: 0.5, revise: 0.5, feed: 1 };

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
  readonly method: CallMethod;
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
  const { account, method, purpose, calls, now } = request;
  if (use.exhaustedUntil !== null && use.exhaustedUntil > now) return { kind: 'wait', until: use.exhaustedUntil };
  const budget = Math.floor(callsPerDay * (1 - leavesToOthers[purpose]));
  const left = budget - use.total - calls;
  if (left < 0) return waitUntil(nextMidnight(now).getTime(), now);
  // A commit ends a publication: a refusal would waste the calls before it, whose `create` was already divided evenly.
  if (method === 'commit' && purpose === 'publish') return granted;
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
});

/** The UTC day as `YYYY-MM-DD`: the marketplace counts anew at midnight UTC. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

const waitUntil = (atMs: number, now: Date): CallDecision => ({
  kind: 'wait',
  until: new Date(Math.min(atMs, now.getTime() + lookAgainMs)),
});

const midnightBefore = (at: Date): number => Math.floor(at.getTime() / dayMs) * dayMs;
/** The next midnight UTC. */
export const nextMidnight = (at: Date): Date => new Date(midnightBefore(at) + dayMs);
const elapsedPart = (at: Date): number => (at.getTime() - midnightBefore(at)) / dayMs;

export interface LookPlan {
  /** The configured pause between two polls of an account. */
  readonly settingMs: number;
  /** Calls to one feed that the marketplace allows the application per day. */
  readonly callsPerDay: number;
  /** Number of accounts that are polled. */
  readonly watchedAccounts: number;
}

/** The pause between two polls of an account: the setting, or longer when the call budget requires it (protocol 8). */
export const lookIntervalMs = ({ settingMs, callsPerDay, watchedAccounts }: LookPlan): number =>
  Math.max(settingMs, Math.ceil((watchedAccounts * dayMs) / Math.max(1, callsPerDay)));

const sandboxLookMaxMs = 60_000;

/** The same for a sandbox: its user waits for the result, and no call budget must last for the day. */
export const sandboxLookIntervalMs = (settingMs: number): number => Math.min(settingMs, sandboxLookMaxMs);
