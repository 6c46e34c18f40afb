/** One attempt, as far as figures are made of it. */
interface CountedAttempt {
  readonly status: 'success' | 'failed';
  /** null where the receiver answered nothing. */
  readonly httpStatus: number | null;
  readonly durationMs: number;
}

/** How a receiver took some attempts. */
export type AttemptFigures = ReturnType<typeof attemptFigures>;

/** Adds up attempts in any order. A refused connection takes no time and says nothing about how fast a receiver is. */
export function attemptFigures(attempts: readonly CountedAttempt[]) {
  const succeeded = attempts.filter(({ status }) => status === 'success').length;
  const answered = attempts.filter(({ httpStatus }) => httpStatus !== null);
  const times = answered.map(({ durationMs }) => durationMs).toSorted((one, other) => one - other);
  return {
    attempts: attempts.length,
    succeeded,
    successRate: attempts.length === 0 ? null : succeeded / attempts.length,
    medianMs: percentile(times, 0.5),
    p95Ms: percentile(times, 0.95),
  };
}

/** The smallest value that at least this share of the values does not exceed; null of none. */
const percentile = (ascending: readonly number[], share: number): number | null =>
  ascending[Math.ceil(ascending.length * share) - 1] ?? null;
