// Composition: ports meet implementations here, each process takes the part it needs.
import type { Client } from '@temporalio/client';
import type { Config } from '../platform/config.ts';
import type { Orchestrator } from '../gateways/orchestrator/port.ts';
import type { Payments } from '../gateways/payments/port.ts';
import type { VehicleRegistry } from '../gateways/vehicle-registry/port.ts';
import type { Logger } from '../platform/logger.ts';
import type { Tracing } from '../platform/tracing.ts';
import type { Passwords } from '../security/password.ts';
import { openStore, type StoreConnection } from '../store/database/connection.ts';
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
  readonly now: () => Date;
  /** Takes the place of what is made from the configuration. */
  readonly instead?: Partial<Replaceable>;
}

/** What an API process reaches over the network besides the database, and what takes it long. */
export interface Replaceable {
  readonly orchestrator: Orchestrator;
  readonly payments: Payments;
  readonly vehicleRegistry: VehicleRegistry;
  readonly passwords: Passwords;
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
  return { ...opened, store, metrics, tracing, now };
}
