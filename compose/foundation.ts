import type { Client } from '@temporalio/client';
import type { ImageStore } from '../gateways/image-store/port.ts';
import type { Orchestrator } from '../gateways/orchestrator/port.ts';
import { createTemporalOrchestrator } from '../gateways/orchestrator/temporal-orchestrator.ts';
import type { Payments } from '../gateways/payments/port.ts';
import type { VehicleRegistry } from '../gateways/vehicle-registry/port.ts';
import type { Config } from './config.ts';
import type { Logger } from '../platform/logger.ts';
import type { ResolveAll } from '../platform/resolve-names.ts';
import type { Tracing } from '../platform/tracing.ts';
import type { Passwords } from '../platform/security/password.ts';
import { openStore, type StoreConnection } from '../platform/database/connection.ts';
import { untilMigrated, type Waiting } from '../platform/database/schema-version.ts';
import { readTransactionLimit } from '../platform/database/transaction-limit.ts';
import type { ReceiverSlots } from '../features/webhooks/receiver-slots.ts';
import { openImageStore } from './image-store.ts';
import { schemaVersion } from './schema-steps.ts';
import { createServiceMetrics, type ServiceMetrics } from './service-metrics.ts';

/** The open resources of every process. */
export interface Foundation {
  readonly config: Config;
  readonly logger: Logger;
  readonly store: StoreConnection;
  readonly imageStore: ImageStore;
  readonly metrics: ServiceMetrics;
  /** undefined without a configured collector. */
  readonly tracing: Tracing | undefined;
  /** The database's time. */
  readonly now: () => Date;
  /** Replaces parts that are made from the configuration. */
  readonly instead?: Partial<Replaceable>;
}

/** A worker process also has a connection to the durable engine. */
export interface WorkerFoundation extends Foundation {
  readonly client: Client;
}

/** The parts of an API process that use the network besides the database, or are slow. */
export interface Replaceable {
  readonly payments: Payments;
  readonly vehicleRegistry: VehicleRegistry;
  readonly passwords: Passwords;
  readonly orchestrator: Orchestrator;
  readonly slots: ReceiverSlots;
  readonly resolveAll: ResolveAll;
}

/** Metrics and tracing of the process, by default its own registry and no tracing; and what it does while it waits for `migrate`. */
export type Observation = Partial<Pick<Foundation, 'metrics' | 'tracing'>> & Pick<Waiting, 'onWaiting'>;

/** Opens the database, and waits until `itembridge migrate` has given it the structure of this release. */
export async function openFoundation({
  onWaiting,
  ...opened
}: Pick<Foundation, 'config' | 'logger'> & Observation): Promise<Foundation> {
  const { config, logger, metrics = createServiceMetrics(), tracing } = opened;
  const imageStore = await openImageStore(config.imageStore);
  const store = await openStore(config.mongo);
  await untilMigrated(store, schemaVersion, { logger, onWaiting });
  await warnOfLongTransactions(store, logger);
  return { config, logger, store, imageStore, metrics, tracing, now: store.clock.now };
}

/** The rows of a killed process's transaction stay locked so long (docs/deployment.md "Back up and restore"). */
const transactionLimitSeconds = 5;

export async function warnOfLongTransactions(
  store: StoreConnection,
  logger: Pick<Logger, 'warn'>,
  read = readTransactionLimit,
): Promise<void> {
  const seconds = await read(store);
  if (seconds !== null && seconds <= transactionLimitSeconds) return;
  logger.warn(
    { transactionLifetimeLimitSeconds: seconds, wanted: transactionLimitSeconds },
    seconds === null ? 'database.transaction_limit_unknown' : 'database.transaction_limit_long',
  );
}

export const composeOrchestrator = ({ client, config }: WorkerFoundation): Orchestrator =>
  createTemporalOrchestrator(client, config.temporal.taskQueue);
