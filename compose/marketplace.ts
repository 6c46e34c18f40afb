import { createRestMarketplace } from '../gateways/marketplace/rest-marketplace.ts';
import { createCallCounters } from '../store/paid-calls/call-budget.ts';
import { budgetedMarketplace } from '../usecases/listings/budgeted-marketplace.ts';
import { createCallBudget } from '../usecases/listings/create-call-budget.ts';
import { now, type Foundation } from './foundation.ts';
import { observedMarketplace } from './observed-marketplace.ts';

/** The marketplace, its calls shared out between the accounts. */
export function composeMarketplace({ config, store, metrics, tracing }: Foundation) {
  const rest = createRestMarketplace(config.marketplace);
  const { callsPerDay } = config.marketplace;
  const budget = createCallBudget({ counters: createCallCounters(store), callsPerDay, now });
  const observed = observedMarketplace(rest, { metrics, tracing });
  return { marketplace: budgetedMarketplace(observed, { budget, now }), closeMarketplace: () => rest.close() };
}
