import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from './logger.ts';

export interface LoopOptions {
  readonly name: string;
  /** Pause between rounds that found nothing to do. */
  readonly idleMs: number;
  readonly logger: Logger;
  /** Told of every round: whether it found something to do, and how long it took. */
  readonly onRound?: (outcome: RoundOutcome, seconds: number) => void;
}

export type RoundOutcome = 'worked' | 'idle' | 'failed';

export interface RunningLoop {
  /** Lets the present round finish. */
  stop(): Promise<void>;
}

const pauseAfterErrorMs = 1_000;

/** Runs `round` again and again: at once while it says that it did something, else after a pause. An error is logged and survived. */
export function startLoop(round: () => Promise<boolean>, options: LoopOptions): RunningLoop {
  const { name, idleMs, logger, onRound } = options;
  const stopping = new AbortController();
  const pause = (ms: number): Promise<void> => sleep(ms, undefined, { signal: stopping.signal }).catch(() => undefined);
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      const told = (outcome: RoundOutcome): void => onRound?.(outcome, (performance.now() - startedAt) / 1_000);
      try {
        const hasWorked = await round();
        told(hasWorked ? 'worked' : 'idle');
        if (!hasWorked) await pause(idleMs);
      } catch (error) {
        told('failed');
        logger.warn({ loop: name, err: error }, 'loop.round_failed');
        await pause(pauseAfterErrorMs);
      }
    }
  };
  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
