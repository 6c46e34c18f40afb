import { callMethods } from '../core/listings/call-budget.ts';
import { createCallCounters } from '../store/paid-calls/call-budget.ts';
import { readServiceCounts, type ServiceCounts } from '../store/operations/service-counts.ts';
import { createCallBudget } from '../usecases/listings/create-call-budget.ts';
import { now, type Foundation } from './foundation.ts';
import type { ServiceMetrics } from './service-metrics.ts';

/** The round that reads what is true of the whole service from the database, for this process's numbers. */
export function gaugeReader({ config, store, metrics }: Omit<Foundation, 'client'>): () => Promise<boolean> {
  const { callsPerDay } = config.marketplace;
  const budget = createCallBudget({ counters: createCallCounters(store), callsPerDay, now });
  return async () => {
    setCounts(metrics.gauges, await readServiceCounts(store));
    setBudget(metrics.gauges, await budget.readUse());
    metrics.gauges.readAt.set({}, now().getTime() / 1_000);
    return false;
  };
}

type Gauges = ServiceMetrics['gauges'];

function setCounts(gauges: Gauges, counts: ServiceCounts): void {
  gauges.itemsOwed.set({}, counts.itemsOwed);
  gauges.oldestOwedSeconds.set({}, ageSeconds(counts.oldestOwedAt));
  gauges.itemsWaiting.clear();
  for (const [reason, count] of counts.itemsWaiting) gauges.itemsWaiting.set({ reason }, count);
  gauges.backlog.set({}, counts.backlog);
  gauges.oldestBacklogSeconds.set({}, ageSeconds(counts.oldestBacklogAt));
  gauges.deliveriesUnfinished.set({}, counts.deliveriesUnfinished);
  gauges.oldestDeliverySeconds.set({}, ageSeconds(counts.oldestDeliveryAt));
  gauges.endpoints.set({ state: 'active' }, counts.endpointsActive);
  gauges.endpoints.set({ state: 'disabled' }, counts.endpointsDisabled);
  gauges.bulkSyncs.set({}, counts.bulkSyncsUnfinished);
  gauges.oldestBulkSyncSeconds.set({}, ageSeconds(counts.oldestBulkSyncAt));
  gauges.connections.set({ state: 'connected' }, counts.connectionsConnected);
  gauges.connections.set({ state: 'expired' }, counts.connectionsExpired);
}

type BudgetUse = Awaited<ReturnType<ReturnType<typeof createCallBudget>['readUse']>>;

/** A method that was not used today has all of its calls left. */
function setBudget(gauges: Gauges, { callsPerDay, methods }: BudgetUse): void {
  if (callsPerDay === null) return;
  const useByMethod = new Map(methods.map((use) => [use.method, use]));
  for (const method of callMethods) {
    const use = useByMethod.get(method);
    const isExhausted = use?.exhaustedUntil != null && use.exhaustedUntil > now();
    const left = Math.max(0, 1 - (use?.calls ?? 0) / Math.max(1, callsPerDay));
    gauges.budgetLeft.set({ method }, isExhausted ? 0 : left);
  }
}

const ageSeconds = (at: Date | null): number =>
  at === null ? 0 : Math.max(0, (now().getTime() - at.getTime()) / 1_000);
