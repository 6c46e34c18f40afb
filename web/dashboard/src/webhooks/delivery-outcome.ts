/** The fields of an attempt that show how its delivery went. */
export interface AttemptFacts {
  readonly attempt: number;
  readonly status: 'success' | 'failed';
}

export type DeliveryOutcome = 'under-way' | 'retried' | 'succeeded' | 'failed';

/**
 * `attempts` of one delivery in any order. There are at most `attemptsMax` (a test has one, others five), and none
 * after a success.
 */
export function outcomeOf(attempts: readonly AttemptFacts[], attemptsMax: number): DeliveryOutcome {
  if (attempts.length === 0) return 'under-way';
  if (attempts.some(({ status }) => status === 'success')) return 'succeeded';
  return Math.max(...attempts.map(({ attempt }) => attempt)) >= attemptsMax ? 'failed' : 'retried';
}

/** The attempt that shows the delivery's state. */
export const latestAttempt = <Attempt extends AttemptFacts>(attempts: readonly Attempt[]): Attempt | undefined =>
  attempts.reduce<Attempt | undefined>(
    (latest, one) => (latest === undefined || one.attempt > latest.attempt ? one : latest),
    undefined,
  );
