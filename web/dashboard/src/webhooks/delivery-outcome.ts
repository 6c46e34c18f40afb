/** What of an attempt says how its delivery went. */
export interface AttemptFacts {
  readonly attempt: number;
  readonly status: 'success' | 'failed';
}

export type DeliveryOutcome = 'under-way' | 'retried' | 'succeeded' | 'failed';

/** `attempts` of one delivery in any order; it makes `attemptsMax` (a test one, others five) until one gets through. */
export function outcomeOf(attempts: readonly AttemptFacts[], attemptsMax: number): DeliveryOutcome {
  if (attempts.length === 0) return 'under-way';
  if (attempts.some(({ status }) => status === 'success')) return 'succeeded';
  return Math.max(...attempts.map(({ attempt }) => attempt)) >= attemptsMax ? 'failed' : 'retried';
}

/** The one that tells how it stands. */
export const latestAttempt = <Attempt extends AttemptFacts>(attempts: readonly Attempt[]): Attempt | undefined =>
  attempts.reduce<Attempt | undefined>(
    (latest, one) => (latest === undefined || one.attempt > latest.attempt ? one : latest),
    undefined,
  );
