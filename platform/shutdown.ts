import type { Logger } from './logger.ts';

const signals = ['SIGTERM', 'SIGINT', 'SIGQUIT', 'disconnect'] as const;

/** Stops the process now; `exitCode` is 0 by default, for a stop without an error. */
export type ShutDown = (reason: string, exitCode?: number) => Promise<void>;

export interface ShutdownOptions {
  /** ms for `stop`. After that time the process exits with 1, even with work left. One minute by default. */
  readonly withinMs?: number;
}

/** Signals within this time count as one: Ctrl-C comes from the terminal, and again from a parent that passes it on. */
const sameWishMs = 250;

/**
 * Stops the process once, cleanly, on a signal or when its parent process is gone (`disconnect`). `stop` drains and closes, then
 * the process exits with 0. It exits with 1 when `stop` fails or takes too long, or at a second signal, which ends the wait. The
 * returned function does the same for the caller's own reason.
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
