import type { Logger } from './logger.ts';

const signals = ['SIGTERM', 'SIGINT', 'SIGQUIT', 'disconnect'] as const;

/** Stops the process now; `exitCode` is 0 unless something went wrong. */
export type ShutDown = (reason: string, exitCode?: number) => Promise<void>;

export interface ShutdownOptions {
  /** Bound on `stop`: when it is passed the process ends with 1, whatever is left. By default a minute. */
  readonly withinMs?: number;
}

/** Ctrl-C reaches a process from its terminal and once more from a parent that hands it on; so soon after the first it is the same wish. */
const sameWishMs = 250;

/**
 * Stops the process once, cleanly, on a signal or when the parent that started it is gone (`disconnect`): `stop` drains and
 * closes, then the process exits with 0, or with 1 when `stop` fails, takes too long, or a second signal says that nobody wants
 * to wait. The result does the same for a reason of the caller's.
 */
export function onShutdown(logger: Logger, stop: () => Promise<void>, options: ShutdownOptions = {}): ShutDown {
  const { withinMs = 60_000 } = options;
  let stoppingSince: number | undefined;
  const shutDown: ShutDown = async (reason, exitCode = 0) => {
    if (stoppingSince !== undefined) return;
    stoppingSince = Date.now();
    logger.info({ reason }, 'process.stopping');
    setTimeout(() => {
      logger.error({ withinMs }, 'process.stop_took_too_long');
      endProcess(1);
    }, withinMs);
    try {
      await stop();
    } catch (error) {
      logger.error({ err: error }, 'process.stop_failed');
      endProcess(1);
    }
    endProcess(exitCode);
  };
  for (const signal of signals) {
    process.on(signal, () => {
      const isRepeated = stoppingSince !== undefined && Date.now() - stoppingSince >= sameWishMs;
      if (isRepeated && signal !== 'disconnect') {
        logger.warn({ reason: signal }, 'process.stop_hurried');
        endProcess(1);
      }
      shutDown(signal).catch((error: unknown) => {
        logger.error({ err: error }, 'process.stop_failed');
      });
    });
  }
  return shutDown;
}

function endProcess(exitCode: number): never {
  // eslint-disable-next-line no-restricted-properties -- everything has been drained or given up: the one place that ends a process
  return process.exit(exitCode);
}
