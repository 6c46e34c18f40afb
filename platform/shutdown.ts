import type { Logger } from './logger.ts';

const signals = ['SIGTERM', 'SIGINT', 'SIGQUIT', 'disconnect'] as const;

/** Stops the process now; `exitCode` is 0 unless something went wrong. */
export type ShutDown = (reason: string, exitCode?: number) => Promise<void>;

/**
 * Stops the process once, cleanly, on a signal or when the parent that started it is gone (`disconnect`): `stop` drains and
 * closes, then the process exits with 0, or with 1 when `stop` fails. The result does the same for a reason of the caller's.
 */
export function onShutdown(logger: Logger, stop: () => Promise<void>): ShutDown {
  let isStopping = false;
  const shutDown: ShutDown = async (reason, exitCode = 0) => {
    if (isStopping) return;
    isStopping = true;
    logger.info({ reason }, 'process.stopping');
    try {
      await stop();
      process.exitCode = exitCode;
    } catch (error) {
      logger.error({ err: error }, 'process.stop_failed');
      process.exitCode = 1;
    }
    // eslint-disable-next-line no-restricted-properties -- everything has been drained: the one place that ends a process
    process.exit();
  };
  for (const signal of signals) {
    process.on(signal, () => {
      shutDown(signal).catch((error: unknown) => {
        logger.error({ err: error }, 'process.stop_failed');
      });
    });
  }
  return shutDown;
}
