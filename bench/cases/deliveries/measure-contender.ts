import { setTimeout as pause } from 'node:timers/promises';
import { measureBurst, type BurstResult } from '../../support/burst.ts';
import { cpuSince, readCpuTimes, sum } from '../../support/cpu.ts';
import { untilQuiet } from '../../support/until-idle.ts';
import { forget, offer, spreadOf, type Contender, type Spread } from './contender.ts';

export interface TimedBurst extends BurstResult, Spread {}

/** As the worker's own: events of one transaction. */
const together = 100;
/** Often, as a fast one needs no longer than a few seconds for all of them. */
const pollMs = 20;

/** So many events as fast as they can be stored, until the last one's outcome is recorded. */
export async function playBurst(contender: Contender, count: number): Promise<TimedBurst> {
  const { pids, receiver, countOpen, untilIdle } = contender;
  await untilQuiet(pids);
  await forget(contender);
  const result = await measureBurst({
    ...{ count, pids, pollMs, untilIdle },
    start: () => offer(contender, { count, together, atOnce: 1 }),
    countDone: async () => {
      const arrived = await receiver.ask<number>('count');
      // Arrived is not yet recorded; the database is asked only when it matters, because asking costs its CPU time.
      return arrived < count ? arrived : count - (await countOpen());
    },
  });
  return { ...result, ...(await spreadOf(contender)) };
}

export interface SteadyResult extends Spread {
  readonly cpuMsEach: number;
}

const patienceMs = 180_000;

/** One at a time: at a pace that can be held, it is the way itself that is measured and not the line before it. */
export async function playSteady(
  contender: Contender,
  { perSecond, count }: { perSecond: number; count: number },
): Promise<SteadyResult> {
  const { pids, receiver, untilIdle } = contender;
  await untilQuiet(pids);
  await forget(contender);
  const before = readCpuTimes(pids);
  await offer(contender, { count, perSecond, together: 1, atOnce: 1 });
  const deadline = performance.now() + patienceMs;
  while ((await receiver.ask<number>('count')) < count) {
    if (performance.now() > deadline) throw new Error('not every event has arrived');
    await pause(pollMs);
  }
  await untilIdle();
  return { ...(await spreadOf(contender)), cpuMsEach: sum(cpuSince(before, pids)) / count };
}
