import type { Client } from '@temporalio/client';
import type { Item } from '../core/items/item.ts';
import type { ImageStore } from '../gateways/image-store/port.ts';
import type { Orchestrator } from '../gateways/orchestrator/port.ts';
import { createTemporalOrchestrator } from '../gateways/orchestrator/temporal-orchestrator.ts';
import type { Payments } from '../gateways/payments/port.ts';
import type { VehicleRegistry } from '../gateways/vehicle-registry/port.ts';
import type { Config } from './config.ts';
import type { Logger } from '../platform/logger.ts';
import type { Tracing } from '../platform/tracing.ts';
import type { Passwords } from '../security/password.ts';
import { openStore, type StoreConnection } from '../store/database/connection.ts';
import type { FirstLook } from '../usecases/context.ts';
import { createHints, type Hints } from '../usecases/hints.ts';
import { createMemberReferences, namingMembers } from '../usecases/operations/member-references.ts';
import { openImageStore } from './image-store.ts';
import { createServiceMetrics, type ServiceMetrics } from './metrics.ts';

// Composition: ports get their implementations here, and each process takes the parts it needs.
export const now = (): Date => new Date();

/** The open resources of every process. */
export interface Foundation {
  readonly config: Config;
  readonly logger: Logger;
  readonly store: StoreConnection;
  readonly imageStore: ImageStore;
  readonly client: Client;
  readonly metrics: ServiceMetrics;
  /** undefined where no collector is named. */
  readonly tracing: Tracing | undefined;
  readonly now: () => Date;
  /** Replaces parts that are made from the configuration. */
  readonly instead?: Partial<Replaceable>;
}

/** The parts of an API process that use the network besides the database, or are slow. */
export interface Replaceable {
  readonly orchestrator: Orchestrator;
  readonly payments: Payments;
  readonly vehicleRegistry: VehicleRegistry;
  readonly passwords: Passwords;
}

/** Metrics and tracing of the process; default: an own registry and no tracing. */
export type Observation = Partial<Pick<Foundation, 'metrics' | 'tracing'>>;

/** Opens the database and creates the indexes that are missing. */
export async function openFoundation(
  opened: Pick<Foundation, 'config' | 'logger' | 'client'> & Observation,
): Promise<Foundation> {
  const imageStore = await openImageStore(opened.config.imageStore);
  const store = await openStore(opened.config.mongo);
  await store.ensureIndexes();
  const { metrics = createServiceMetrics(), tracing } = opened;
  return { ...opened, store, imageStore, metrics, tracing, now };
}

/** The durable engine; every start carries the reseller's reference for the account. */
export const composeOrchestrator = ({
  client,
  config,
  store,
  now,
  instead,
}: Pick<Foundation, 'client' | 'store' | 'now' | 'instead'> & {
  readonly config: Pick<Config, 'temporal'>;
}): Orchestrator =>
  instead?.orchestrator ??
  namingMembers(createTemporalOrchestrator(client, config.temporal.taskQueue), createMemberReferences(store, now));

/** The queue of hints to the durable engine, one for each process. */
export const composeHints = ({ logger, metrics }: Pick<Foundation, 'logger' | 'metrics'>): Hints =>
  createHints(logger, (how) => metrics.hintsLost.add({ how }));

export const nudger =
  (hints: Hints, orchestrator: Orchestrator) =>
  (item: Item): void => {
    const { id, accountId, externalId, requestId = null } = item;
    hints.send(`item:${id}`, () => orchestrator.nudgeItem({ itemId: id, accountId, externalId, requestId }));
  };

/** Only workflows carry a trace on, so a process with tracing sends all items to them. */
export const firstLookOf = ({ config, tracing }: Pick<Foundation, 'config' | 'tracing'>): FirstLook =>
  tracing === undefined ? config.items.firstLook : 'workflow';
