/** Source: specification "Delivery and retries" and decisions: five attempts, at 0, 1, 3, 7 and 15 s. */
export const attemptsMax = 5;
export const attemptTimeoutMs = 10_000;
/** Lease of an attempt, longer than the time-out and the writes around it. An attempt without an end by then was interrupted. */
export const attemptLeaseMs = 30_000;
export const disableAfterFailures = 15;
/** The owner is warned at each of these. */
export const warnAfterFailures: readonly number[] = [5, 10];

/** Why a delivery exists: a new event, a test, a manual redelivery, or a recovery of a missed event. */
export type DeliveryPurpose = 'event' | 'test' | 'redelivery' | 'recovery';

/** Wait after failed attempt `attempt` (1-based); null when that was the last. A test is tried once: its caller waits for it. */
export const waitAfterFailedAttemptMs = (attempt: number, purpose: DeliveryPurpose = 'event'): number | null =>
  purpose === 'test' || attempt >= attemptsMax ? null : 1_000 * 2 ** (attempt - 1);
