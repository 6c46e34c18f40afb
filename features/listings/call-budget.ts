import type { AccountId } from '../rules/ids.ts';
import {
  countedMethods,
  dayMs,
  dayOf,
  decideCalls,
  nextMidnight,
  type CallCounts,
  type CallDecision,
  type CallLimit,
  type CallMethod,
  type CallPurpose,
  type CallRequest,
  type CountedMethod,
} from './rules/call-budget.ts';
import { MarketplaceError, type CallGate, type Seller } from '../../gateways/marketplace/port.ts';
import type { CallCount, CallCounters } from '../accounts/store/call-counters.ts';

/**
 * Throws a {@link MarketplaceError} `budget_exhausted` unless all these calls could be made now; takes nothing. Called before a
 * publication begins (`callsOfPublication`), so that no publication begins that can't be finished.
 */
export type EnsureCalls = (seller: Seller, calls: CallCounts) => Promise<void>;

export interface BudgetClock {
  readonly budget: CallBudget;
  readonly now: () => Date;
}

/** Sandboxes have no budget: their marketplace is a simulated one. */
export const ensureCalls =
  ({ budget, now }: BudgetClock): EnsureCalls =>
  async ({ accountId: account, isSandbox }, calls) => {
    if (!isSandbox) requireGranted(await budget.check({ account, purpose: 'publish' }, calls), now());
  };

/** Takes every call from the account's part of the day's budget first (protocol 8). */
export const budgetGate =
  ({ budget, now }: BudgetClock): CallGate =>
  async ({ seller, operation, purpose }, send) => {
    const call = { account: seller.accountId, purpose, method: operation };
    requireGranted(await budget.take(call), now());
    try {
      return await send();
    } catch (error) {
      if (error instanceof MarketplaceError) {
        if (error.kind === 'budget_exhausted') await budget.learnExhausted(operation, error.retryAfterMs ?? 0);
        // An outage must not use up the day's calls. If the marketplace counted the call anyway, its 429 will tell.
        if (error.kind === 'unavailable' && error.status === undefined) await budget.giveBack(call);
      }
      throw error;
    }
  };

function requireGranted(decision: CallDecision, now: Date): void {
  if (decision.kind === 'granted') return;
  throw new MarketplaceError('budget_exhausted', "the account's part of the marketplace's call budget is used up", {
    retryAfterMs: Math.max(0, decision.until.getTime() - now.getTime()),
  });
}

/**
 * From this many calls a day on (a dozen a second) calls are not counted, because no day comes near it. Tests, the embedded mode
 * and applications without a limit save that cost. A 429 then only stops the work that received it.
 */
export const uncountedFromCallsPerDay = 1_000_000;

export interface CallBudgetDependencies {
  readonly counters: CallCounters;
  /** Calls that the marketplace allows our application a day, over all accounts; absent: no limit. */
  readonly callsPerDay: number | undefined;
  /** Whether that is a limit for each method, or for all together. */
  readonly limit: CallLimit;
  readonly now: () => Date;
}

export interface CallClaim {
  readonly account: AccountId;
  readonly purpose: CallPurpose;
}

export interface CallToMake extends CallClaim {
  readonly method: CallMethod;
}

export interface MethodUse {
  readonly method: CountedMethod;
  readonly calls: number;
  readonly accounts: number;
  readonly exhaustedUntil: Date | null;
}

/** The calls of the day, shared between all workers and fairly between accounts (protocol 8). */
export interface CallBudget {
  /** Takes the call, if it may be made now. */
  take(call: CallToMake): Promise<CallDecision>;
  /** Whether all these calls could be made now; takes nothing. */
  check(claim: CallClaim, calls: CallCounts): Promise<CallDecision>;
  /** The call was never made. */
  giveBack(call: CallToMake): Promise<void>;
  /** The marketplace itself reported the method as used up for this long. */
  learnExhausted(method: CallMethod, retryAfterMs: number): Promise<void>;
  /** Today's use; null `callsPerDay` when nothing is counted. */
  readUse(): Promise<{ readonly callsPerDay: number | null; readonly methods: readonly MethodUse[] }>;
}

export function createCallBudget(dependencies: CallBudgetDependencies): CallBudget {
  const { callsPerDay, counters, limit, now } = dependencies;
  if (callsPerDay === undefined || callsPerDay >= uncountedFromCallsPerDay) return uncounted;
  const counted = { ...dependencies, callsPerDay, expectedAccounts: rememberExpected(counters) };
  const countedAs = (method: CallMethod): CountedMethod => (limit === 'together' ? 'all' : method);
  const placeOf = (method: CallMethod, at: Date) => ({ method: countedAs(method), day: dayOf(at) });
  return {
    take: async (call) => {
      const at = now();
      const place = placeOf(call.method, at);
      const before = withoutCall(await counters.add(place, call.account, 1), call.account);
      // A commit ends a publication, and its `create` was divided evenly: a refusal would waste the calls before it.
      const isLast = call.method === 'commit' && call.purpose === 'publish';
      const decision = await decide(counted, { ...call, method: place.method, calls: 1, isLast, now: at }, before);
      if (decision.kind === 'wait') await counters.giveBack(place, call.account, 1);
      return decision;
    },
    check: (claim, calls) => checkAll(counted, claim, limit === 'together' ? { all: sumOf(calls) } : calls),
    giveBack: ({ method, account }) => counters.giveBack(placeOf(method, now()), account, 1),
    learnExhausted: async (method, retryAfterMs) => {
      const at = now();
      // The marketplace counts anew from midnight. If it does not, it reports again.
      const until = new Date(Math.min(at.getTime() + retryAfterMs, nextMidnight(at).getTime()));
      await counters.markExhausted(placeOf(method, at), until);
    },
    readUse: async () => {
      const day = await counters.readDay(dayOf(now()));
      return { callsPerDay, methods: [...day].map(([method, count]) => describeUse(method, count)) };
    },
  };
}

const sumOf = (calls: CallCounts): number => Object.values(calls).reduce((sum, count) => sum + count, 0);

const granted: CallDecision = { kind: 'granted' };
const uncounted: CallBudget = {
  take: () => Promise.resolve(granted),
  check: () => Promise.resolve(granted),
  giveBack: () => Promise.resolve(),
  learnExhausted: () => Promise.resolve(),
  readUse: () => Promise.resolve({ callsPerDay: null, methods: [] }),
};

const describeUse = (method: CountedMethod, { total, byAccount, exhaustedUntil }: CallCount): MethodUse => ({
  method,
  calls: total,
  accounts: byAccount.size,
  exhaustedUntil,
});

interface Counted extends CallBudgetDependencies {
  readonly callsPerDay: number;
  readonly expectedAccounts: (method: CountedMethod, now: Date) => Promise<number>;
}

async function checkAll(
  counted: Counted,
  claim: CallClaim,
  wanted: Partial<Readonly<Record<CountedMethod, number>>>,
): Promise<CallDecision> {
  const now = counted.now();
  const decisions = await Promise.all(
    countedMethods.map(async (method) => {
      const calls = wanted[method] ?? 0;
      if (calls === 0) return granted;
      const before = await counted.counters.read({ method, day: dayOf(now) });
      return decide(counted, { ...claim, method, calls, now }, before);
    }),
  );
  return decisions.reduce(later, granted);
}

const later = (one: CallDecision, two: CallDecision): CallDecision =>
  one.kind === 'wait' && (two.kind === 'granted' || one.until > two.until) ? one : two;

async function decide(
  { callsPerDay, expectedAccounts }: Counted,
  request: CallRequest,
  before: CallCount,
): Promise<CallDecision> {
  const accountsDayBefore = await expectedAccounts(request.method, request.now);
  return decideCalls(callsPerDay, { ...before, accountsDayBefore }, request);
}

function withoutCall(after: CallCount, account: AccountId): CallCount {
  const ofAccount = (after.byAccount.get(account) ?? 1) - 1;
  return { ...after, total: after.total - 1, byAccount: new Map(after.byAccount).set(account, ofAccount) };
}

/** A past day no longer changes, so each method's count is read once a day. */
function rememberExpected(counters: CallCounters): Counted['expectedAccounts'] {
  const known = new Map<CountedMethod, { readonly day: string; readonly accounts: number }>();
  return async (method, now) => {
    const day = dayOf(new Date(now.getTime() - dayMs));
    const remembered = known.get(method);
    if (remembered?.day === day) return remembered.accounts;
    const { byAccount } = await counters.read({ method, day });
    known.set(method, { day, accounts: byAccount.size });
    return byAccount.size;
  };
}
