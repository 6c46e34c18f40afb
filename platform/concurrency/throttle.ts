import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';

/** Keeps work that can wait from slowing down work that a caller waits for, in one process. */
export interface Throttle {
  /** Urgent work is being done. */
  notice(): void;
  /** Whether some was a short while ago: more is likely to come. */
  readonly isPressed: () => boolean;
  /**
   * Does a piece of the other work: as it comes while nothing is urgent, else one after the other, each followed by a rest of three
   * times its length.
   */
  pass<Result>(work: () => Promise<Result>): Promise<Result>;
}

export interface ThrottleOptions {
  /** Milliseconds that only go up; the process's own by default. */
  readonly clock?: () => number;
  readonly rest?: (ms: number) => Promise<void>;
}

const remembersMs = 15_000;
/** So this work has a quarter of the time, however much is urgent. */
const restsPerWork = 3;
/** A piece that rests holds its place in the engine, and a chunk of eight pieces has 40 s. */
const restMaxMs = 1_000;
/** As many as one process is given at once (workers/run-workers.ts). */
const atOnceMax = 4;

export function createThrottle(options: ThrottleOptions = {}): Throttle {
  const { clock = () => performance.now(), rest = (ms) => sleep(ms) } = options;
  const limit = pLimit(atOnceMax);
  let noticedAt = -Infinity;
  const isPressed = (): boolean => clock() - noticedAt < remembersMs;
  return {
    isPressed,
    notice: () => {
      noticedAt = clock();
    },
    pass: (work) => {
      limit.concurrency = isPressed() ? 1 : atOnceMax;
      return limit(async () => {
        const startedAt = clock();
        const result = await work();
        if (isPressed()) await rest(Math.min(restsPerWork * (clock() - startedAt), restMaxMs));
        return result;
      });
    },
  };
}
