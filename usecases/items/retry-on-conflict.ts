import { setTimeout as delay } from 'node:timers/promises';
import { Refusal } from '../../core/errors.ts';
import type { Scope } from '../../core/scope.ts';
import type { RunExclusive } from '../../platform/concurrency/keyed-mutex.ts';
import { retryOnConflict } from './write-item.ts';

export interface ManyWrites<Job> {
  readonly jobs: readonly Job[];
  /** Identifies the item of a job within its account, for {@link RunExclusive}. */
  readonly keyOf: (job: Job) => string;
  /** Reads, decides and writes. Returns the jobs that another writer overtook, to be decided again. */
  readonly attempt: (jobs: readonly Job[]) => Promise<readonly Job[]>;
  /** Called for a job that was overtaken for seconds. */
  readonly giveUp: (job: Job, refusal: Refusal) => void;
}

/** A job overtaken once or twice is repeated with the rest. After that it queues with the other writers of its item. */
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
    // A majority read is a few milliseconds behind the newest write; an immediate repeat would return the same version.
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
