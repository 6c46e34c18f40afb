import { ImageStoreUnavailable } from '../gateways/image-store/port.ts';
import type { Config } from './config.ts';
import type { Logger } from '../platform/logger.ts';
import { startLoop } from '../platform/loop.ts';
import { sharedFor } from '../platform/concurrency/kept-fresh.ts';
import { isStoreUnavailable } from '../platform/database/connection.ts';
import { createCallerLimits } from '../features/accounts/caller-limits.ts';
import { createRequestRecorder } from '../features/accounts/request-log.ts';
import { composeContext } from './context.ts';
import { openFoundation, type Foundation, type Observation } from './foundation.ts';
import { observeRequests } from './observe.ts';
import { clockWatch, imageStoreWatch, watchEveryMs } from './watch-service.ts';

/** Composes the API process. It needs the database alone: while the engine is away, workers start later what a write owes. */
export async function composeApi(config: Config, logger: Logger, observation: Observation = {}) {
  const foundation = await openFoundation({ config, logger, ...observation });
  const { close, ...served } = composeApiOn(foundation);
  const watches = [
    startLoop(clockWatch(foundation), { name: 'watch-clock', idleMs: watchEveryMs, logger }),
    startLoop(imageStoreWatch(foundation), { name: 'watch-image-store', idleMs: watchEveryMs, logger }),
  ];
  return {
    ...served,
    close: async () => {
      await Promise.all([close(), ...watches.map((watch) => watch.stop())]);
      await foundation.store.close();
    },
  };
}

/** The same on an open foundation; `close` leaves the database open. */
export function composeApiOn(foundation: Foundation) {
  const { config, logger, store, metrics, tracing } = foundation;
  const { context, close } = composeContext(foundation);
  const onDropped = (count: number): void => metrics.requestLogDropped.add({}, count);
  const requestRecorder = config.requestLog ? createRequestRecorder({ store, logger, onDropped }) : undefined;
  return {
    context,
    parts: {
      requestObserver: observeRequests(metrics, tracing, config.tracing),
      requestRecorder,
      rateLimits: config.rateLimits === null ? null : createCallerLimits(config.rateLimits),
      trustedProxies: config.trustedProxies,
      // Cached, because any caller may ask and no limit counts these calls.
      isReady: sharedFor(1_000, () => store.isReachable()),
      isUnavailable: (error: unknown) => isStoreUnavailable(error) || error instanceof ImageStoreUnavailable,
    },
    close: async () => {
      await Promise.all([close(), requestRecorder?.settle()]);
    },
  };
}
