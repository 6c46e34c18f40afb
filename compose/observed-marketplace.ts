import { performance } from 'node:perf_hooks';
import type { CallMethod } from '../core/listings/call-budget.ts';
import { MarketplaceError } from '../gateways/marketplace/port.ts';
import { inSpan, type Tracing } from '../platform/tracing.ts';
import type { Marketplace } from '../usecases/listings/budgeted-marketplace.ts';
import type { ServiceMetrics } from './service-metrics.ts';

interface Observers {
  readonly metrics: ServiceMetrics;
  readonly tracing: Tracing | undefined;
}

/** The marketplace, with every call counted by the method whose budget it uses. Stands behind the budget: what that refuses is no call. */
export function observedMarketplace(marketplace: Marketplace, observers: Observers): Marketplace {
  const seen = observer(observers);
  return {
    createDraft: (...call) => seen('create', () => marketplace.createDraft(...call)),
    addImage: (...call) => seen('image', () => marketplace.addImage(...call)),
    commit: (...call) => seen('commit', () => marketplace.commit(...call)),
    readOutcome: (...call) => seen('results', () => marketplace.readOutcome(...call)),
    findByOwnReference: (...call) => seen('seller_items', () => marketplace.findByOwnReference(...call)),
    revise: (...call) => seen('revise', () => marketplace.revise(...call)),
    changePrice: (...call) => seen('price', () => marketplace.changePrice(...call)),
    readChange: (...call) => seen('results', () => marketplace.readChange(...call)),
    remove: (...call) => seen('remove', () => marketplace.remove(...call)),
    feedRowsMax: marketplace.feedRowsMax,
    readUpdatedItems: (...call) => seen('updated_items', () => marketplace.readUpdatedItems(...call)),
    readTransactions: (...call) => seen('transactions', () => marketplace.readTransactions(...call)),
  };
}

const observer =
  ({ metrics, tracing }: Observers) =>
  async <Result>(method: CallMethod, call: () => Promise<Result>): Promise<Result> => {
    const startedAt = performance.now();
    const count = (outcome: string): void => {
      metrics.marketplaceCalls.add({ method, outcome });
      metrics.marketplaceSeconds.observe({ method }, (performance.now() - startedAt) / 1_000);
    };
    try {
      const result = await inSpan(tracing, { name: `marketplace ${method}`, kind: 'client' }, call);
      count('ok');
      return result;
    } catch (error) {
      count(error instanceof MarketplaceError ? error.kind : 'bug');
      throw error;
    }
  };
