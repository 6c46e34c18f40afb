import type { CallCounts, CallDecision, CallMethod, CallPurpose } from '../../core/listings/call-budget.ts';
import {
  MarketplaceError,
  type ListingChanges,
  type ListingKeeper,
  type ListingPublisher,
  type Seller,
  type SellerFeeds,
  type SellerOrders,
} from '../../gateways/marketplace/port.ts';
import type { CallBudget } from './create-call-budget.ts';

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
    changePrice: (seller, adId, prices) =>
      spend({ seller, purpose: 'revise', method: 'price' }, () => marketplace.changePrice(seller, adId, prices)),
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
  /** Further calls that the work makes. */
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
