/** Source: specification "Delivery and retries" and decisions: five attempts, at 0, 1, 3, 7 and 15 s. */
export const attemptsMax = 5;
export const attemptTimeoutMs = 10_000;
/** An attempt that hasn't ended by then was interrupted: longer than the time-out and the writes around it. */
export const attemptLeaseMs = 30_000;
export const disableAfterFailures = 15;

/** Wait after failed attempt `attempt` (1-based); null when that was the last. */
export const waitAfterFailedAttemptMs = (attempt: number): number | null =>
  attempt >= attemptsMax ? null : 1_000 * 2 ** (attempt - 1);
