// Composition: ports meet implementations here, each process takes the part it needs.
import type { Client } from '@temporalio/client';
import type { Config } from '../platform/config.ts';
import type { Logger } from '../platform/logger.ts';
import type { Tracing } from '../platform/tracing.ts';
import { openStore, type StoreConnection } from '../store/connection.ts';
import { createServiceMetrics, type ServiceMetrics } from './service-metrics.ts';

export const now = (): Date => new Date();

/** What every process has open. */
export interface Foundation {
  readonly config: Config;
  readonly logger: Logger;
  readonly store: StoreConnection;
  readonly client: Client;
  readonly metrics: ServiceMetrics;
  /** undefined where no collector is named. */
  readonly tracing: Tracing | undefined;
}

/** What follows the process from outside; a registry of its own and no tracing by default. */
export type Observation = Partial<Pick<Foundation, 'metrics' | 'tracing'>>;

/** Opens the database and creates the indexes that are missing. */
export async function openFoundation(
  opened: Pick<Foundation, 'config' | 'logger' | 'client'> & Observation,
): Promise<Foundation> {
  const store = await openStore(opened.config.mongo);
  await store.ensureIndexes();
  const { metrics = createServiceMetrics(), tracing } = opened;
  return { ...opened, store, metrics, tracing };
}
