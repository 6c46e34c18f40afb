import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { cpuSince, readCpuTimes, sum } from './cpu.ts';

export interface Burst {
  readonly count: number;
  /** The processes whose CPU time counts, by name. */
  readonly pids: Readonly<Record<string, number>>;
  readonly start: () => Promise<void>;
  /** How many are done; asked again and again, so it must be cheap. */
  readonly countDone: () => Promise<number>;
  /** Resolves when what trails behind the last one has ended too; its CPU time counts, its wall time doesn't. */
  readonly untilIdle: () => Promise<void>;
  /** 100 unless said otherwise. */
  readonly pollMs?: number;
}

export interface BurstResult {
  readonly perSecond: number;
  readonly cpuMsEach: number;
  /** The same by process. */
  readonly cpuMsEachOf: Readonly<Record<string, number>>;
}

const usualPollMs = 100;
const timeoutMs = 600_000;

/** Starts `count` pieces of work at once and stops the watch when the last one is done. */
export async function measureBurst(burst: Burst): Promise<BurstResult> {
  const { count, pids } = burst;
  const before = readCpuTimes(pids);
  const startedAt = performance.now();
  await burst.start();
  await untilCount(burst, startedAt + timeoutMs);
  const seconds = (performance.now() - startedAt) / 1000;
  await burst.untilIdle();
  const used = cpuSince(before, pids);
  return {
    perSecond: count / seconds,
    cpuMsEach: sum(used) / count,
    cpuMsEachOf: Object.fromEntries(Object.entries(used).map(([name, ms]) => [name, ms / count])),
  };
}

async function untilCount({ count, countDone, pollMs = usualPollMs }: Burst, deadline: number): Promise<void> {
  for (;;) {
    const done = await countDone();
    if (done >= count) return;
    if (performance.now() > deadline) throw new Error(`only ${done} of ${count} were done in ${timeoutMs / 1000} s`);
    await pause(pollMs);
  }
}
