import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';

/** Keeps work that can wait from slowing down work that a caller waits for, in one process. */
export interface Throttle {
  /** Tells that urgent work is being done. */
  notice(): void;
  /** Whether urgent work was done a short while ago, so that more is likely to come. */
  readonly isPressed: () => boolean;
  /**
   * Runs a piece of the other work. Without urgent work it starts at once; otherwise one piece runs at a time, followed
   * by a rest of three times its length.
   */
  pass<Result>(work: () => Promise<Result>): Promise<Result>;
}

export interface ThrottleOptions {
  /** Milliseconds that only go up; the process's own by default. */
  readonly clock?: () => number;
  readonly rest?: (ms: number) => Promise<void>;
}

const remembersMs = 15_000;
/** So other work gets a quarter of the time, however much is urgent. */
const restsPerWork = 3;
/** A resting piece keeps its slot in the engine, and a chunk of eight pieces must end within 40 s. */
const restMaxMs = 1_000;
/** As many pieces as one process gets at once (workers/run-workers.ts). */
const atOnceMax = 4;

/** A throttle for this process. One instance must see both kinds of work. */
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
