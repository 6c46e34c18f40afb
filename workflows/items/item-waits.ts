import { condition, setCurrentDetails } from '@temporalio/workflow';
import { explainRest, explainWait, plainTime } from '../../features/operations/rules/explain-wait.ts';
import { isTrouble } from '../../features/operations/rules/reasons.ts';
import type { NextStep } from './item-steps.ts';
import { hideBlock, showBlock, timeIn } from '../visibility.ts';

type Wait = Extract<NextStep, { kind: 'wait' }>;
type Rest = NonNullable<Extract<NextStep, { kind: 'settled' }>['blocked']>;

/** The last that an operator reads of a run. */
export const showDone = (): void => setCurrentDetails(`Nothing is left to do since ${plainTime(timeIn(0))}.`);

/** A caller chooses when an auction begins, and the engine's timers can't hold every date. */
const waitMaxMs = 30 * 86_400_000;

/** Waits with a blocked reason that operators can find and read: why, since when, and what to do. */
export async function wait(step: Wait, isSignalled: () => boolean): Promise<void> {
  const isListed = step.forMs > 5_000 && isTrouble(step.waitingFor);
  if (isListed) showBlock({ stage: 'waiting', reason: step.waitingFor });
  setCurrentDetails(
    explainWait({
      reason: step.waitingFor,
      until: timeIn(step.forMs),
      attempts: step.attempts,
      lastError: step.lastError,
      since: step.since === null ? null : new Date(step.since),
    }),
  );
  await condition(isSignalled, Math.min(Math.max(1, step.forMs), waitMaxMs), { summary: `waits: ${step.waitingFor}` });
  if (isListed) hideBlock('working');
}

/** How often a resting run reads its item, in case the database was corrected by hand. */
const restMs = 86_400_000;

/**
 * Holds the run of an item that owes nothing and needs attention. So operators find it among the running workflows and
 * can retry it. Any write of the item wakes it.
 */
export async function rest(blocked: Rest, isRetryInVain: boolean, isSignalled: () => boolean): Promise<void> {
  setCurrentDetails(explainRest({ ...blocked, isRetryInVain }));
  showBlock({ stage: 'resting', reason: blocked.reason });
  await condition(isSignalled, restMs, { summary: `rests: ${blocked.reason}` });
  hideBlock('working');
}
