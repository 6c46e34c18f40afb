import { callMethods, type CountedMethod } from '../features/listings/rules/call-budget.ts';
import type { ImageStore } from '../gateways/image-store/port.ts';
import type { Logger } from '../platform/logger.ts';
import { isStoreUnavailable, readDatabaseTime, type StoreConnection } from '../platform/database/connection.ts';
import { readServiceCounts, type ServiceCounts } from '../features/operations/store/service-counts.ts';
import type { CallBudget } from '../features/listings/call-budget.ts';
import type { Foundation } from './foundation.ts';
import { composeCallBudget } from './gateways.ts';
import type { ServiceMetrics } from './service-metrics.ts';

/** The round that reads the service-wide values from the database into this process's metrics. */
export function gaugeReader(foundation: Foundation): () => Promise<boolean> {
  const { config, store, metrics, now } = foundation;
  const budget = composeCallBudget(foundation);
  const methods = config.marketplace.callLimit === 'together' ? (['all'] as const) : callMethods;
  return async () => {
    setCounts(metrics.gauges, await readServiceCounts(store), now());
    setBudget(metrics.gauges, { ...(await budget.readUse()), counted: methods }, now());
    metrics.gauges.readAt.set({}, now().getTime() / 1_000);
    return false;
  };
}

type Gauges = ServiceMetrics['gauges'];

function setCounts(gauges: Gauges, counts: ServiceCounts, now: Date): void {
  const ageSeconds = (at: Date | null): number =>
    at === null ? 0 : Math.max(0, (now.getTime() - at.getTime()) / 1_000);
  gauges.itemsOwed.set({}, counts.itemsOwed);
  gauges.oldestOwedSeconds.set({}, ageSeconds(counts.oldestOwedAt));
  gauges.itemsWaiting.clear();
  for (const [reason, count] of counts.itemsWaiting) gauges.itemsWaiting.set({ reason }, count);
  for (const [reason, count] of counts.itemsResting) gauges.itemsResting.set({ reason }, count);
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

type BudgetUse = Awaited<ReturnType<CallBudget['readUse']>> & { readonly counted: readonly CountedMethod[] };

/** A method that was not called today has all of its calls left. */
function setBudget(gauges: Gauges, { callsPerDay, methods, counted }: BudgetUse, now: Date): void {
  if (callsPerDay === null) return;
  const useByMethod = new Map(methods.map((use) => [use.method, use]));
  for (const method of counted) {
    const use = useByMethod.get(method);
    const isExhausted = use?.exhaustedUntil != null && use.exhaustedUntil > now;
    const left = Math.max(0, 1 - (use?.calls ?? 0) / Math.max(1, callsPerDay));
    gauges.budgetLeft.set({ method }, isExhausted ? 0 : left);
  }
}

/**
 * Times in logs and session tokens are this machine's. Due dates and stored times are the database's, whatever this
 * machine's clock says.
 */
const differenceMaxMs = 2_000;
const sayAgainMs = 300_000;
/** Interval of the checks of clock and image store. */
export const watchEveryMs = 30_000;

type Watched = Pick<Foundation, 'store' | 'metrics'> & { readonly logger: Pick<Logger, 'warn' | 'info'> };

/** The round that compares this process's clock with the database's, and warns the operator at most every five minutes. */
export function clockWatch(
  { store, metrics, logger }: Watched,
  clock: () => Date = () => new Date(),
): () => Promise<boolean> {
  let saidAt: number | null = null;
  return async () => {
    const aheadMs = await readAhead(store, clock);
    if (aheadMs === null) return false;
    metrics.clockOffset.set({}, aheadMs / 1_000);
    const at = clock().getTime();
    if (Math.abs(aheadMs) <= differenceMaxMs) {
      if (saidAt !== null) logger.info({ aheadMs }, 'clock.agreed');
      saidAt = null;
    } else if (saidAt === null || Math.abs(at - saidAt) >= sayAgainMs) {
      logger.warn({ aheadMs }, 'clock.differed');
      saidAt = at;
    }
    return false;
  };
}

/**
 * Returns the minimum lead of this process's clock in ms (negative: lag). The database read its clock at some moment of the round
 * trip, however long that took. null while the database is unavailable.
 */
async function readAhead(store: StoreConnection, clock: () => Date): Promise<number | null> {
  const asked = clock().getTime();
  try {
    const time = (await readDatabaseTime(store)).getTime();
    const answered = clock().getTime();
    return Math.max(0, asked - time) + Math.min(0, answered - time);
  } catch (error) {
    if (isStoreUnavailable(error)) return null;
    throw error;
  }
}

/**
 * The round that checks whether images can be read, and warns the operator with the reason at most every five minutes.
 * It changes nothing: a process without its image store still accepts pushes.
 */
export function imageStoreWatch({
  imageStore,
  metrics,
  logger,
  now,
}: Pick<Foundation, 'metrics' | 'now'> & {
  readonly imageStore: Pick<ImageStore, 'check'>;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
}): () => Promise<boolean> {
  let saidAt: number | null = null;
  return async () => {
    const failure: unknown = await imageStore.check().then(
      () => null,
      (error: unknown) => error,
    );
    metrics.imageStoreReachable.set({}, failure === null ? 1 : 0);
    const at = now().getTime();
    if (failure === null) {
      if (saidAt !== null) logger.info('image_store.recovered');
      saidAt = null;
    } else if (saidAt === null || Math.abs(at - saidAt) >= sayAgainMs) {
      logger.warn({ err: failure }, 'image_store.failed');
      saidAt = at;
    }
    return false;
  };
}
