import { backoffMs } from '../../rules/backoff.ts';

/** Source: specification "Delivery and retries" and decisions: five attempts, at 0, 1, 3, 7 and 15 s. */
export const attemptsMax = 5;
export const attemptTimeoutMs = 10_000;
/**
 * So long a begun attempt is its process's alone: ten seconds for the answer, five for writes and clocks. An attempt without a record
 * by then was interrupted.
 */
export const attemptLeaseMs = 15_000;

/** The wait before an attempt, in ms: 0, 1, 2, 4, 8 s. Source: specification "Delivery and retries". */
export const waitBefore = (attempt: number): number => (attempt <= 1 ? 0 : backoffMs(attempt - 1, 1_000, 16_000));
