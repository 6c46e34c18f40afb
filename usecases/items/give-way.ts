import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';

/** How work that many items at once leave makes room in this process for writes that somebody waits for. */
export interface GiveWay {
  /** A single write is being worked on. */
  notice(): void;
  /** Whether one was a short while ago: more are likely to come. */
  readonly isAsked: () => boolean;
  /** A piece of bulk work: as it comes while nobody waits, else one after the other, each followed by a rest of three times its length. */
  pass<Result>(work: () => Promise<Result>): Promise<Result>;
}

export interface GiveWayOptions {
  /** Milliseconds that only go up; the process's own by default. */
  readonly clock?: () => number;
  readonly rest?: (ms: number) => Promise<void>;
}

const remembersMs = 15_000;
const restsPerWork = 3;
/** Whoever rests holds its place in the engine, and a chunk of eight pieces has 40 s. */
const restMaxMs = 1_000;
/** As many as one process is given at once (workers/run-workers.ts). */
const atOnceMax = 4;

export function createGiveWay(options: GiveWayOptions = {}): GiveWay {
  const { clock = () => performance.now(), rest = (ms) => sleep(ms) } = options;
  const limit = pLimit(atOnceMax);
  let noticedAt = -Infinity;
  const isAsked = (): boolean => clock() - noticedAt < remembersMs;
  return {
    isAsked,
    notice: () => {
      noticedAt = clock();
    },
    pass: (work) => {
      limit.concurrency = isAsked() ? 1 : atOnceMax;
      return limit(async () => {
        const startedAt = clock();
        const result = await work();
        if (isAsked()) await rest(Math.min(restsPerWork * (clock() - startedAt), restMaxMs));
        return result;
      });
    },
  };
}
