import type { Logger } from './logger.ts';

const signals = ['SIGTERM', 'SIGINT', 'disconnect'] as const;

/**
 * Stops the process once, cleanly, on a signal or when the parent that started it is gone (`disconnect`): `stop` drains and
 * closes, then the process exits with 0, or with 1 when `stop` fails.
 */
export function onShutdown(logger: Logger, stop: () => Promise<void>): void {
  let isStopping = false;
  const shutDown = async (reason: string): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    logger.info({ reason }, 'process.stopping');
    try {
      await stop();
      process.exitCode = 0;
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
}
