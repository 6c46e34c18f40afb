import type { ItemStore } from '../store/items/items.ts';
import type { EnrichDependencies } from '../usecases/items/enrich-item.ts';
import { composeAi } from './ai.ts';
import { now, type Foundation } from './foundation.ts';
import type { composeVehicles } from './vehicles.ts';

/** Both outside systems have time-outs of their own; the part's is there for what they don't cover. */
export function composeEnrichment(
  foundation: Foundation,
  { items, vehicles }: { items: ItemStore; vehicles: ReturnType<typeof composeVehicles> },
): EnrichDependencies {
  const { config, logger } = foundation;
  return {
    items,
    ...composeAi(foundation),
    lookUpVehicle: async (accountId, plate) =>
      (await vehicles.lookUp(accountId, plate, { asksFailedAgain: true })).vehicle,
    fallbackCategoryId: config.marketplace.fallbackCategoryId,
    partTimeoutMs: config.ai.timeoutMs + config.vehicleRegistry.timeoutMs,
    logger,
    now,
  };
}
