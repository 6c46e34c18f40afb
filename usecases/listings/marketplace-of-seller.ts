import { MarketplaceError, type Seller } from '../../gateways/marketplace/port.ts';
import type { BudgetedMarketplace } from './budgeted-marketplace.ts';

/**
 * Each call goes to the marketplace that its seller belongs to, and there is no other way to either of them. `sandbox` null: the
 * work of sandboxes waits, as it does for a marketplace that is out of reach.
 */
export function marketplaceOfSeller(
  live: BudgetedMarketplace,
  sandbox: BudgetedMarketplace | null,
): BudgetedMarketplace {
  const of = (seller: Seller): BudgetedMarketplace => {
    if (!seller.isSandbox) return live;
    if (sandbox !== null) return sandbox;
    throw new MarketplaceError('unavailable', 'the service has no sandbox at the moment', { code: 'NoSandbox' });
  };
  // Async, so that a missing sandbox is a rejected promise, as every other error of a marketplace is.
  return {
    ensure: async (seller, ...rest) => of(seller).ensure(seller, ...rest),
    createDraft: async (seller, ...rest) => of(seller).createDraft(seller, ...rest),
    addImage: async (seller, ...rest) => of(seller).addImage(seller, ...rest),
    commit: async (seller, ...rest) => of(seller).commit(seller, ...rest),
    readOutcome: async (seller, ...rest) => of(seller).readOutcome(seller, ...rest),
    findByOwnReference: async (seller, ...rest) => of(seller).findByOwnReference(seller, ...rest),
    revise: async (seller, ...rest) => of(seller).revise(seller, ...rest),
    changePrice: async (seller, ...rest) => of(seller).changePrice(seller, ...rest),
    readChange: async (seller, ...rest) => of(seller).readChange(seller, ...rest),
    remove: async (seller, ...rest) => of(seller).remove(seller, ...rest),
    feedRowsMax: live.feedRowsMax,
    readUpdatedItems: async (seller, ...rest) => of(seller).readUpdatedItems(seller, ...rest),
    readTransactions: async (seller, ...rest) => of(seller).readTransactions(seller, ...rest),
    readOrders: async (seller, ...rest) => of(seller).readOrders(seller, ...rest),
    markShipped: async (seller, ...rest) => of(seller).markShipped(seller, ...rest),
  };
}
