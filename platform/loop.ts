import { randomInt } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from './logger.ts';

export interface LoopOptions {
  readonly name: string;
  /** Average pause between rounds that found nothing; each is half to one and a half times as long. */
  readonly idleMs: number;
  readonly logger: Logger;
  /** Called after every round with its outcome and its duration. */
  readonly onRound?: (outcome: RoundOutcome, seconds: number) => void;
}

export type RoundOutcome = 'worked' | 'idle' | 'failed';

export interface RunningLoop {
  /** Stops the loop and waits for the current round. */
  stop(): Promise<void>;
}

const pauseAfterErrorMs = 1_000;

/** So that processes that were started together do not all look at the same moment. */
const processOffsetMs = randomInt(60_000);

/**
 * Pauses end at multiples of their length, so that the loops of a process wake it together: for an idle process the
 * wake-ups cost more than the rounds.
 */
function untilNextMs(idleMs: number): number {
  const leftMs = idleMs - ((performance.now() + processOffsetMs) % idleMs);
  return leftMs < idleMs / 2 ? leftMs + idleMs : leftMs;
}

/**
 * Repeats `round`: at once while it returns true (it found work), else after a pause. An error is logged, and the loop goes on.
 */
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
        if (!hasWorked) await pause(untilNextMs(idleMs));
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
