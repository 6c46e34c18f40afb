import { ActivityFailure, CancelledFailure, TemporalFailure } from '@temporalio/common';
import { condition, defineSignal, log, setCurrentDetails, setHandler, workflowInfo } from '@temporalio/workflow';
import { explainWait } from '../features/operations/rules/explain-wait.ts';
import type { BlockedReason } from '../features/operations/rules/reasons.ts';
import { backoffMs } from '../features/rules/backoff.ts';
import { lookAgainSignalName, retrySignalName } from './contracts/workflows.ts';
import { timeIn, type Visibility } from './visibility.ts';

/** What signals have asked of a run. They are counted, because a signal may arrive at any moment. */
export interface Asked {
  /** Signals of all kinds. */
  signals: number;
  /**
   * Retries that operators asked for, and how many of them were done. A run that ends or is continued before loses the
   * others.
   */
  retries: number;
  retriesDone: number;
  /** The last retry found nothing to retry. */
  isInVain: boolean;
}

/** Counts the signals of this run from now on. The Temporal UI offers them by these descriptions. */
export function listen(): Asked {
  const asked: Asked = { signals: 0, retries: 0, retriesDone: 0, isInVain: false };
  const lookAgain = (): void => {
    asked.signals += 1;
  };
  const retry = (): void => {
    asked.signals += 1;
    asked.retries += 1;
  };
  setHandler(defineSignal(lookAgainSignalName), lookAgain, { description: 'Read the stored row again. No input.' });
  setHandler(defineSignal(retrySignalName), retry, {
    description: 'Try again now what failed, was given up or waits. No input.',
  });
  return asked;
}

/** A run accepts 10,000 signals and gives no warning before that limit, so a new run begins well before it. */
const signalsMax = 2_000;

/** Whether a new run should go on. A retry is stored in no row before it is done, so a continued run would lose it. */
export const isLongEnough = ({ signals, retries, retriesDone }: Asked): boolean =>
  (workflowInfo().continueAsNewSuggested || signals > signalsMax) && retries === retriesDone;

/** Fewer failures in a row usually end within seconds, so operators do not see them. */
const shownAfter = 3;

export interface Step {
  readonly kind: string;
  /** What the step does, in words for operators. */
  readonly says: string;
  /** The blocked reason after repeated failures. */
  readonly blockedReason?: BlockedReason;
  /** Failures in a row until they are shown; 1 where the engine has repeated the step already. */
  readonly failuresUntilShown?: number;
}

/** The step failed, and its pause is over. */
export const failed = Symbol('failed');

/**
 * Tries a step once. After a failure it waits with growing pauses, which `retry` ends at once, and shows operators the error. The
 * caller then reads what is stored and decides: the outcome of a failed step is never assumed.
 */
export function createAttempts(shown: Visibility, asked: Asked) {
  let failures = 0;
  let failingSinceMs = 0;
  return async <Result>(
    { kind, says, blockedReason = 'failing_step', failuresUntilShown = shownAfter }: Step,
    work: () => Promise<Result>,
  ): Promise<Result | typeof failed> => {
    setCurrentDetails(says);
    try {
      const result = await work();
      if (failures >= failuresUntilShown) shown.clear();
      failures = 0;
      return result;
    } catch (error) {
      if (!(error instanceof TemporalFailure) || error instanceof CancelledFailure) throw error;
      failures += 1;
      if (failures === 1) failingSinceMs = Date.now();
      const pauseMs = backoffMs(failures, 1_000, 60_000);
      log.warn('step.failed', { step: kind, failures });
      if (failures >= failuresUntilShown) shown.set({ stage: 'failing', reason: blockedReason });
      setCurrentDetails(
        failures < failuresUntilShown
          ? `${says} It failed, ${failures} in a row; looking again in ${pauseMs / 1_000} s.`
          : `${says}\n\n${explainWait({
              reason: blockedReason,
              since: new Date(failingSinceMs),
              until: timeIn(pauseMs),
              attempts: failures,
              lastError: messageOf(error),
            })}`,
      );
      const { retries } = asked;
      await condition(() => asked.retries > retries, pauseMs, { summary: `pause after a failure of ${kind}` });
      return failed;
    }
  };
}

/** The SDK wraps the failure of an activity, and not that of a local one. */
const messageOf = (error: TemporalFailure): string =>
  (error instanceof ActivityFailure ? error.cause?.message : undefined) ?? error.message;
