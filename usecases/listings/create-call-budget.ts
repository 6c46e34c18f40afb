import type { AccountId } from '../../core/ids.ts';
import {
  callMethods,
  dayMs,
  dayOf,
  decideCalls,
  nextMidnight,
  type CallCounts,
  type CallDecision,
  type CallMethod,
  type CallPurpose,
} from '../../core/listings/call-budget.ts';
import type { CallCount, CallCounters } from '../../store/paid-calls/call-counters.ts';

/**
 * From this many calls a day on (a dozen a second) calls are not counted, because no day comes near it. Tests, the embedded mode
 * and applications without a limit save that cost. A 429 then only stops the work that received it.
 */
export const uncountedFromCallsPerDay = 1_000_000;

export interface CallBudgetDependencies {
  readonly counters: CallCounters;
  /** Calls of one method that the marketplace allows our application a day, over all accounts; absent: no limit. */
  readonly callsPerDay: number | undefined;
  readonly now: () => Date;
}

export interface CallClaim {
  readonly account: AccountId;
  readonly purpose: CallPurpose;
  readonly calls: CallCounts;
}

export interface MethodUse {
  readonly method: CallMethod;
  readonly calls: number;
  readonly accounts: number;
  readonly exhaustedUntil: Date | null;
}

/** The calls of the day, shared between all workers and fairly between accounts (protocol 8). */
export interface CallBudget {
  /** Takes all the calls, or none when one method has not enough left. */
  take(claim: CallClaim): Promise<CallDecision>;
  /** What {@link CallBudget.take} would answer now; takes nothing. */
  check(claim: CallClaim): Promise<CallDecision>;
  /** The calls were never made. */
  giveBack(claim: CallClaim): Promise<void>;
  /** The marketplace itself reported the method as used up for this long. */
  learnExhausted(method: CallMethod, retryAfterMs: number): Promise<void>;
  /** Today's use; null `callsPerDay` when nothing is counted. */
  readUse(): Promise<{ readonly callsPerDay: number | null; readonly methods: readonly MethodUse[] }>;
}

export function createCallBudget(dependencies: CallBudgetDependencies): CallBudget {
  const { callsPerDay, now } = dependencies;
  if (callsPerDay === undefined || callsPerDay >= uncountedFromCallsPerDay) return uncounted;
  const counted = { ...dependencies, callsPerDay, expectedAccounts: rememberExpected(dependencies.counters) };
  return {
    take: (claim) => takeAll(counted, claim, now()),
    check: (claim) => checkAll(counted, claim, now()),
    giveBack: (claim) => giveBackAll(counted, claim, now()),
    learnExhausted: async (method, retryAfterMs) => {
      const at = now();
      // The marketplace counts anew from midnight. If it does not, it reports again.
      const until = new Date(Math.min(at.getTime() + retryAfterMs, nextMidnight(at).getTime()));
      await dependencies.counters.markExhausted({ method, day: dayOf(at) }, until);
    },
    readUse: async () => {
      const day = await dependencies.counters.readDay(dayOf(now()));
      return { callsPerDay, methods: [...day].map(([method, count]) => describeUse(method, count)) };
    },
  };
}

const granted: CallDecision = { kind: 'granted' };
const uncounted: CallBudget = {
  take: () => Promise.resolve(granted),
  check: () => Promise.resolve(granted),
  giveBack: () => Promise.resolve(),
  learnExhausted: () => Promise.resolve(),
  readUse: () => Promise.resolve({ callsPerDay: null, methods: [] }),
};

const describeUse = (method: CallMethod, { total, byAccount, exhaustedUntil }: CallCount): MethodUse => ({
  method,
  calls: total,
  accounts: byAccount.size,
  exhaustedUntil,
});

interface Counted {
  readonly counters: CallCounters;
  readonly callsPerDay: number;
  readonly expectedAccounts: (method: CallMethod, now: Date) => Promise<number>;
}

interface Wish {
  readonly method: CallMethod;
  readonly calls: number;
}

const wishesOf = ({ calls }: CallClaim): Wish[] =>
  callMethods.map((method) => ({ method, calls: calls[method] ?? 0 })).filter(({ calls }) => calls > 0);

async function takeAll(counted: Counted, claim: CallClaim, now: Date): Promise<CallDecision> {
  const wishes = wishesOf(claim);
  // Calls that are added and given back block other accounts meanwhile, so several methods are checked first.
  if (wishes.length > 1) {
    const decision = await checkAll(counted, claim, now);
    if (decision.kind === 'wait') return decision;
  }
  const taken: Wish[] = [];
  for (const wish of wishes) {
    const after = await counted.counters.add({ method: wish.method, day: dayOf(now) }, claim.account, wish.calls);
    taken.push(wish);
    const decision = await decide(counted, {
      claim,
      wish,
      now,
      before: withoutCalls(after, claim.account, wish.calls),
    });
    if (decision.kind === 'granted') continue;
    const calls = Object.fromEntries(taken.map(({ method, calls }) => [method, calls]));
    await giveBackAll(counted, { ...claim, calls }, now);
    return decision;
  }
  return granted;
}

async function checkAll(counted: Counted, claim: CallClaim, now: Date): Promise<CallDecision> {
  const decisions = await Promise.all(
    wishesOf(claim).map(async (wish) => {
      const before = await counted.counters.read({ method: wish.method, day: dayOf(now) });
      return decide(counted, { claim, wish, now, before });
    }),
  );
  return decisions.reduce(later, granted);
}

const later = (one: CallDecision, two: CallDecision): CallDecision =>
  one.kind === 'wait' && (two.kind === 'granted' || one.until > two.until) ? one : two;

async function giveBackAll({ counters }: Counted, claim: CallClaim, now: Date): Promise<void> {
  await Promise.all(
    wishesOf(claim).map(({ method, calls }) => counters.giveBack({ method, day: dayOf(now) }, claim.account, calls)),
  );
}

async function decide(
  { callsPerDay, expectedAccounts }: Counted,
  { claim, wish, now, before }: { claim: CallClaim; wish: Wish; now: Date; before: CallCount },
): Promise<CallDecision> {
  const { account, purpose } = claim;
  const accountsDayBefore = await expectedAccounts(wish.method, now);
  return decideCalls(callsPerDay, { ...before, accountsDayBefore }, { ...wish, account, purpose, now });
}

function withoutCalls(after: CallCount, account: AccountId, calls: number): CallCount {
  const ofAccount = (after.byAccount.get(account) ?? calls) - calls;
  return { ...after, total: after.total - calls, byAccount: new Map(after.byAccount).set(account, ofAccount) };
}

/** A past day no longer changes, so each method's count is read once a day. */
function rememberExpected(counters: CallCounters): Counted['expectedAccounts'] {
  const known = new Map<CallMethod, { readonly day: string; readonly accounts: number }>();
  return async (method, now) => {
    const day = dayOf(new Date(now.getTime() - dayMs));
    const remembered = known.get(method);
    if (remembered?.day === day) return remembered.accounts;
    const { byAccount } = await counters.read({ method, day });
    known.set(method, { day, accounts: byAccount.size });
    return byAccount.size;
  };
}
