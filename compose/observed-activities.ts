import { performance } from 'node:perf_hooks';
import type { ItemActivities } from '../activities/item-activities.ts';
import type { ItemId } from '../core/ids.ts';
import type { Item } from '../core/items/item.ts';
import type { Logger } from '../platform/logger.ts';
import type { Advance } from '../usecases/items/advance-item.ts';
import type { Foundation } from './foundation.ts';
import type { ServiceMetrics } from './service-metrics.ts';

type Activity = (...input: never[]) => Promise<unknown>;

/** The activities, each try of each counted and timed. */
export function countedActivities<Activities extends { [Name in keyof Activities]: Activity }>(
  activities: Activities,
  metrics: Pick<ServiceMetrics, 'activities' | 'activitySeconds'>,
): Activities {
  const counted = Object.entries<Activity>(activities).map(([activity, run]) => [
    activity,
    async (...input: never[]): Promise<unknown> => {
      const startedAt = performance.now();
      let outcome = 'failed';
      try {
        const result = await run(...input);
        outcome = 'completed';
        return result;
      } finally {
        metrics.activities.add({ activity, outcome });
        metrics.activitySeconds.observe({ activity }, (performance.now() - startedAt) / 1_000);
      }
    },
  ]);
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- the same names with functions of the same types
  return Object.fromEntries(counted) as Activities;
}

/** One line for each look at an item that found something to do. */
export const advanceTeller =
  ({ logger, metrics }: Pick<Foundation, 'logger' | 'metrics'>) =>
  (item: Item, advance: Advance): void => {
    const { id, accountId, externalId, requestId = null, revision } = item;
    const waitingFor = advance.kind === 'wait' ? { waitingFor: advance.waitingFor, forMs: advance.forMs } : {};
    const line = { itemId: id, accountId, externalId, requestId, revision, next: advance.kind, ...waitingFor };
    // Each look of a healthy item has one: only what waits is worth a line to whoever doesn't look for it.
    logger[advance.kind === 'wait' ? 'info' : 'debug'](line, 'item.advanced');
    metrics.itemAdvances.add({ next: advance.kind });
    if (advance.kind === 'wait') metrics.itemWaits.add({ reason: advance.waitingFor });
  };

/** What a line says of an item. */
type NamedItem = Pick<Item, 'accountId' | 'externalId' | 'requestId'>;

interface Telling {
  readonly find: (id: ItemId) => Promise<NamedItem | null>;
  readonly logger: Logger;
}

/** The long steps of an item, each with one log line that names the request which caused it. */
export function toldSteps(activities: ItemActivities, telling: Telling): ItemActivities {
  const told = teller(telling);
  return {
    ...activities,
    processImages: (itemId) => told('process-images', itemId, () => activities.processImages(itemId)),
    enrichItem: (itemId) => told('enrich', itemId, () => activities.enrichItem(itemId)),
    prepareListing: (work) => told('prepare-listing', work.itemId, () => activities.prepareListing(work)),
    goLive: (work) => told('go-live', work.itemId, () => activities.goLive(work)),
    reviseListing: (work) => told('revise', work.itemId, () => activities.reviseListing(work)),
    takeDown: (work) => told('take-down', work.itemId, () => activities.takeDown(work)),
  };
}

const teller =
  ({ find, logger }: Telling) =>
  async (step: string, itemId: ItemId, run: () => Promise<void>): Promise<void> => {
    const startedAt = performance.now();
    // Before the step: what caused it, not what came meanwhile.
    const item = await find(itemId).catch(() => null);
    const tell = (level: 'info' | 'warn', more: object): void => {
      const { accountId, externalId, requestId = null } = item ?? {};
      const durationMs = Math.round(performance.now() - startedAt);
      logger[level]({ itemId, accountId, externalId, requestId, step, durationMs, ...more }, 'item.step_ended');
    };
    try {
      await run();
      tell('info', { outcome: 'completed' });
    } catch (error) {
      tell('warn', { outcome: 'failed', err: error });
      throw error;
    }
  };
