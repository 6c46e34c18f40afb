import { Client } from '@temporalio/client';
import type { ApiDependencies } from '../api/dependencies.ts';
import { createDiskImageStore } from '../gateways/image-store/disk-image-store.ts';
import { openClosableConnection } from '../gateways/orchestrator/closable-connection.ts';
import type { Config } from '../platform/config.ts';
import type { Logger } from '../platform/logger.ts';
import { startLoop } from '../platform/loop.ts';
import { sharedFor } from '../platform/concurrency/shared-for.ts';
import { isStoreUnavailable } from '../store/database/connection.ts';
import { readHostedImage } from '../usecases/items/read-hosted-image.ts';
import { composeAccountSide } from './account-side.ts';
import { composeAi } from './ai.ts';
import { openFoundation, type Foundation, type Observation } from './foundation.ts';
import { composeItems } from './items.ts';
import { observeRequests } from './observe-requests.ts';
import { composeRateLimits } from './rate-limits.ts';
import { tracedClient } from './traced-client.ts';
import { composeVehicles } from './vehicles.ts';
import { clockWatch, watchClockEveryMs } from './watch-clock.ts';

/** By default a lost connection is tried again after up to two minutes; hints should flow as soon as the engine is back. */
const quickReconnect = { 'grpc.initial_reconnect_backoff_ms': 250, 'grpc.max_reconnect_backoff_ms': 2_000 };

/** Everything that the API process calls. The durable engine may be away: nudges are hints, and writes don't wait for them. */
export async function composeApi(
  config: Config,
  logger: Logger,
  observation: Observation = {},
): Promise<{ dependencies: ApiDependencies; close: () => Promise<void> }> {
  const connection = openClosableConnection({ address: config.temporal.address, channelArgs: quickReconnect });
  const client = new Client({
    ...{ connection, namespace: config.temporal.namespace },
    ...tracedClient(observation.tracing),
  });
  const foundation = await openFoundation({ config, logger, client, ...observation });
  const { dependencies, close } = composeApiOn(foundation);
  const clock = startLoop(clockWatch(foundation), { name: 'watch-clock', idleMs: watchClockEveryMs, logger });
  return {
    dependencies,
    close: async () => {
      await Promise.all([close(), clock.stop()]);
      await Promise.all([connection.close(), foundation.store.close()]);
    },
  };
}

/** The same on what is open already; `close` leaves the database open. */
export function composeApiOn(foundation: Foundation): { dependencies: ApiDependencies; close: () => Promise<void> } {
  const { config, logger, store, metrics, tracing } = foundation;
  const { settle: settleItems, ...items } = composeItems(foundation);
  const { settle: settleAccountSide, ...accountSide } = composeAccountSide(foundation);
  const imageStore = createDiskImageStore(config.imageStore.directory);
  const vehicles = composeVehicles(foundation);
  return {
    dependencies: {
      ...accountSide,
      logger,
      requestObserver: observeRequests(metrics, tracing, config.tracing),
      publicUrl: config.publicUrl,
      rateLimits: composeRateLimits(foundation),
      trustedProxies: config.trustedProxies,
      items,
      categories: { convert: composeAi(foundation).convertCategory },
      vehicles: { read: vehicles.read },
      images: { read: (key) => readHostedImage(imageStore, key) },
      // Anybody may ask, and nobody is limited.
      health: { isReady: sharedFor(1_000, () => store.isReachable()) },
      isUnavailable: isStoreUnavailable,
    },
    close: async () => {
      await Promise.all([settleItems(), settleAccountSide()]);
      await vehicles.close();
    },
  };
}
