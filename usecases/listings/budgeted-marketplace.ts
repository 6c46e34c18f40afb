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
import {
  MarketplaceError,
  type ListingChanges,
  type ListingKeeper,
  type ListingPublisher,
  type Seller,
  type SellerFeeds,
  type SellerOrders,
} from '../../gateways/marketplace/port.ts';
import type { CallCount, CallCounters } from '../../store/paid-calls/call-counters.ts';

export interface CallReserve {
  /**
   * Throws a {@link MarketplaceError} `budget_exhausted` unless all these calls could be made now; takes nothing. Called before a
   * publication begins (`callsOfPublication`), so that no publication begins that can't be finished.
   */
  ensure(seller: Seller, calls: CallCounts): Promise<void>;
}

export type Marketplace = ListingPublisher & ListingKeeper & SellerFeeds & SellerOrders;
export type BudgetedMarketplace = Marketplace & CallReserve;

export interface BudgetClock {
  readonly budget: CallBudget;
  readonly now: () => Date;
}

/** The marketplace, with every call taken from the account's part of the day's budget first (protocol 8). */
export function budgetedMarketplace(marketplace: Marketplace, clock: BudgetClock): BudgetedMarketplace {
  const spend = spender(clock);
  return {
    ensure: async ({ accountId: account }, calls) => {
      requireGranted(await clock.budget.check({ account, purpose: 'publish', calls }), clock.now());
    },
    createDraft: (seller, draft) =>
      spend({ seller, purpose: 'publish', method: 'create' }, () => marketplace.createDraft(seller, draft)),
    addImage: (seller, requestId, jpeg) =>
      spend({ seller, purpose: 'publish', method: 'image' }, () => marketplace.addImage(seller, requestId, jpeg)),
    commit: (seller, requestId) =>
      spend({ seller, purpose: 'publish', method: 'commit' }, () => marketplace.commit(seller, requestId)),
    readOutcome: (seller, request) =>
      spend({ seller, purpose: 'publish', method: 'results' }, () => marketplace.readOutcome(seller, request)),
    // One call, because an own reference has one listing or few; should there be more pages, the marketplace counts them.
    findByOwnReference: (seller, ownReference) =>
      spend({ seller, purpose: 'publish', method: 'seller_items' }, () =>
        marketplace.findByOwnReference(seller, ownReference),
      ),
    revise: (seller, adId, changes) =>
      spend({ seller, purpose: 'revise', method: 'revise', more: callsForPictures(changes) }, () =>
        marketplace.revise(seller, adId, changes),
      ),
    setPrices: (seller, adId, prices) =>
      spend({ seller, purpose: 'revise', method: 'price' }, () => marketplace.setPrices(seller, adId, prices)),
    readChange: (seller, requestId) =>
      spend({ seller, purpose: 'revise', method: 'results' }, () => marketplace.readChange(seller, requestId)),
    remove: (seller, adId) =>
      spend({ seller, purpose: 'take_down', method: 'remove' }, () => marketplace.remove(seller, adId)),
    feedRowsMax: marketplace.feedRowsMax,
    readUpdatedItems: (seller, since) =>
      spend({ seller, purpose: 'feed', method: 'updated_items' }, () => marketplace.readUpdatedItems(seller, since)),
    readTransactions: (seller, since) =>
      spend({ seller, purpose: 'feed', method: 'transactions' }, () => marketplace.readTransactions(seller, since)),
    readOrders: (seller, since) =>
      spend({ seller, purpose: 'feed', method: 'orders' }, () => marketplace.readOrders(seller, since)),
    markShipped: (seller, orderId) =>
      spend({ seller, purpose: 'feed', method: 'ship' }, () => marketplace.markShipped(seller, orderId)),
  };
}

const callsForPictures = ({ jpegs }: ListingChanges): CallCounts =>
  jpegs === null ? {} : { image: jpegs.length, commit: 1 };

interface Spending {
  readonly seller: Seller;
  readonly purpose: CallPurpose;
  readonly method: CallMethod;
  /** Further calls that the work will make. */
  readonly more?: CallCounts;
}

const spender =
  ({ budget, now }: BudgetClock) =>
  async <Result>({ seller, purpose, method, more }: Spending, work: () => Promise<Result>): Promise<Result> => {
    const claim = { account: seller.accountId, purpose, calls: { ...more, [method]: 1 } };
    requireGranted(await budget.take(claim), now());
    try {
      return await work();
    } catch (error) {
      if (error instanceof MarketplaceError) {
        if (error.kind === 'budget_exhausted') await budget.learnExhausted(method, error.retryAfterMs ?? 0);
        // An outage must not use up the day's calls. If the marketplace counted the call anyway, its 429 will tell.
        if (error.kind === 'unavailable' && error.code === undefined) await budget.giveBack(claim);
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

/** A budget that all workers share. */
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
