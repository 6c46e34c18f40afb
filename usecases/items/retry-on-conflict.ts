import { setTimeout as delay } from 'node:timers/promises';
import { Refusal } from '../../core/errors.ts';
import type { Scope } from '../../core/scope.ts';
import type { RunExclusive } from '../../platform/concurrency/keyed-mutex.ts';
import { retryOnConflict } from './write-item.ts';

export interface ManyWrites<Job> {
  readonly jobs: readonly Job[];
  /** What {@link RunExclusive} knows the item of a job by within its account. */
  readonly keyOf: (job: Job) => string;
  /** Reads, decides and writes; gives those back that somebody overtook, to be decided again. */
  readonly attempt: (jobs: readonly Job[]) => Promise<readonly Job[]>;
  /** For one that was overtaken for seconds. */
  readonly giveUp: (job: Job, refusal: Refusal) => void;
}

/** Whoever is overtaken once or twice is done together with the rest; who meets busy items joins the line of their writers. */
const roundsTogether = 3;
const pauseMs = 5;

/** Repeats what was overtaken: all at once first, then each in its turn among the writers of its item. */
export async function retryAllOnConflict<Job>(
  { runExclusive }: { readonly runExclusive: RunExclusive },
  { accountId }: Scope,
  { jobs, keyOf, attempt, giveUp }: ManyWrites<Job>,
): Promise<void> {
  let left = jobs;
  for (let round = 0; round < roundsTogether && left.length > 0; round += 1) {
    // A majority read trails the newest write by a few milliseconds; asking again at once would only see the same.
    if (round > 0) await delay(pauseMs);
    left = await attempt(left);
  }
  for (const job of left) {
    const writeAlone = async (): Promise<true | null> => ((await attempt([job])).length === 0 ? true : null);
    try {
      await runExclusive(`${accountId} ${keyOf(job)}`, () => retryOnConflict(writeAlone));
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'CONFLICT') throw error;
      giveUp(job, error);
    }
  }
}
