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
] as const;
export type CallMethod = (typeof callMethods)[number];
export type CallCounts = Partial<Readonly<Record<CallMethod, number>>>;

/** What a call is for, in the order of use (protocol 8). */
export type CallPurpose = 'take_down' | 'publish' | 'revise' | 'feed';

/**
 * Part of a budget that a purpose leaves to the more urgent ones. Only revisions share methods (pictures, commit, results)
 * with something more urgent; take-downs and feeds have methods of their own, where nothing can be before or behind them.
 */
const leavesToOthers: Readonly<Record<CallPurpose, number>> = { take_down: 0, publish: 0, revise: 0.1, feed: 0 };

/**
 * Part of a budget that is shared out evenly among the accounts; the rest is first come, first served. Looks are even by
 * nature, so an account with a long feed gets nothing of what the others need.
 */
const sharedOut: Readonly<Record<CallPurpose, number>> = { take_down: 0.5, publish: 0.5, revise: 0.5, feed: 1 };

/** Use of one method on one UTC day, before the calls that are asked for. */
export interface CallUse {
  readonly total: number;
  readonly byAccount: ReadonlyMap<AccountId, number>;
  /** Accounts that used the method the day before: so many are expected today. */
  readonly accountsDayBefore: number;
  /** The marketplace itself said that nothing is left until then. */
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
/** Calls are given back now and then, so nobody waits much longer without a look in between. */
const lookAgainMs = 3_600_000;
const granted: CallDecision = { kind: 'granted' };

/**
 * Whether calls may be made now. Everybody may use up an even share; beyond it an account gets what is left after the
 * shares that the others have not used yet. What is kept for them melts with the day, so that by midnight nothing is wasted.
 * One share more than there are accounts is kept, for whoever comes next.
 */
export function decideCalls(callsPerDay: number, use: CallUse, request: CallRequest): CallDecision {
  const { account, method, purpose, calls, now } = request;
  if (use.exhaustedUntil !== null && use.exhaustedUntil > now) return { kind: 'wait', until: use.exhaustedUntil };
  const budget = Math.floor(callsPerDay * (1 - leavesToOthers[purpose]));
  const left = budget - use.total - calls;
  if (left < 0) return waitUntil(nextMidnight(now).getTime(), now);
  // The last step of a publication: to refuse it would waste all that came before, and creating was shared out already.
  if (method === 'commit' && purpose === 'publish') return granted;
  const share = shareOf(budget * sharedOut[purpose], use, account);
  if ((use.byAccount.get(account) ?? 0) + calls <= share.calls) return granted;
  if (keptForOthers(share, 1 - elapsedPart(now)) <= left) return granted;
  // At the latest by then so much of what is kept has melted.
  const meltedAt = midnightBefore(now) + (1 - (left + 1) / (share.unusedByOthers.length * share.calls)) * dayMs;
  return waitUntil(Math.max(Math.ceil(meltedAt) + 1, now.getTime() + 1), now);
}

interface Share {
  /** What one account may use in any case. */
  readonly calls: number;
  /** What each of the others has not used of it. */
  readonly unusedByOthers: readonly number[];
}

function shareOf(sharedCalls: number, use: CallUse, account: AccountId): Share {
  const others = [...use.byAccount].filter(([id]) => id !== account).map(([, used]) => used);
  const accounts = Math.max(others.length + 1, use.accountsDayBefore) + 1;
  const calls = Math.max(1, Math.floor(sharedCalls / accounts));
  const ofUnseen = Array.from({ length: accounts - 1 - others.length }, () => calls);
  return { calls, unusedByOthers: [...others.map((used) => Math.max(0, calls - used)), ...ofUnseen] };
}

/** Nobody is taken to want more in the rest of the day than the same part of a share. */
function keptForOthers({ calls, unusedByOthers }: Share, restOfDay: number): number {
  return Math.floor(unusedByOthers.reduce((sum, unused) => sum + Math.min(unused, calls * restOfDay), 0));
}

/** What a publication with so many pictures takes until it is live, with one more look than the shortest case. */
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
export const nextMidnight = (at: Date): Date => new Date(midnightBefore(at) + dayMs);
const elapsedPart = (at: Date): number => (at.getTime() - midnightBefore(at)) / dayMs;
