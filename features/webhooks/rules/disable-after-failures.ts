// How an endpoint's counters, warnings and recovery change when deliveries end and when its owner changes it. Pure functions: the
// store applies the result in the transaction in which it read the endpoint.
import { backoffMs } from '../../rules/backoff.ts';
import { disableAfterFailures, warnAfterFailures } from './delivery.ts';

/** The fields of an endpoint that its deliveries change. Times are by the platform's clock. */
export interface EndpointLife {
  readonly active: boolean;
  /** Deliveries given up in a row. */
  readonly failCount: number;
  readonly lastError: string | null;
  readonly lastFailureAt: Date | null;
  /** Why and when the platform disabled it; null when it did not. */
  readonly disabledReason: string | null;
  readonly disabledAt: Date | null;
  readonly autoRecover: boolean;
  /** When a recovery is to begin by itself; null when none is wanted. */
  readonly recoverAt: Date | null;
  /** Recoveries in a row that failed to deliver everything. */
  readonly recoverTries: number;
  /** When its owner enabled it; null once no held event can appear late any more. */
  readonly enabledAt: Date | null;
}

export const newEndpointLife: EndpointLife = {
  active: true,
  failCount: 0,
  lastError: null,
  lastFailureAt: null,
  disabledReason: null,
  disabledAt: null,
  autoRecover: false,
  recoverAt: null,
  recoverTries: 0,
  enabledAt: null,
};

/** Pause before the next recovery, to spare a receiver that is down: 30 s after the first failure, doubling up to an hour. */
export const recoveryPauseMs = (tries: number): number => backoffMs(tries + 1, 30_000, 3_600_000);

export interface Failure {
  readonly error: string;
  readonly now: Date;
}

/** A delivery of a new event was given up: the count rises, and at fifteen the endpoint is disabled. */
export function afterGivenUp(life: EndpointLife, { error, now }: Failure): EndpointLife {
  const failCount = life.failCount + 1;
  const failed = { ...life, failCount, lastError: error, lastFailureAt: now };
  if (!life.active) return failed;
  if (failCount >= disableAfterFailures)
    return { ...failed, active: false, disabledAt: now, disabledReason: disabledBecause(error), recoverAt: null };
  const isPlanned = !life.autoRecover || life.recoverAt !== null;
  return isPlanned ? failed : { ...failed, recoverAt: new Date(now.getTime() + recoveryPauseMs(life.recoverTries)) };
}

const disabledBecause = (error: string): string =>
  `disabled after ${disableAfterFailures} deliveries in a row were given up; the last error was: ${error}`;

/** A new event was delivered. An endpoint that answers again after failures gets its missed events at once. */
export function afterDelivered(life: EndpointLife, now: Date): EndpointLife {
  return !life.active || life.failCount === 0 ? life : answersAgain({ ...life, failCount: 0 }, now);
}

/** A test or a redelivery, requested by a person, succeeded. `failCount` stays unchanged. */
export const afterProof = (life: EndpointLife, now: Date): EndpointLife => answersAgain(life, now);

function answersAgain(life: EndpointLife, now: Date): EndpointLife {
  if (!life.autoRecover || !life.active) return life;
  return { ...life, recoverAt: now, recoverTries: 0 };
}

export interface RecoveryEnd {
  /** Whether missed events remain that an automatic recovery may send. */
  readonly isMissing: boolean;
  /** Whether a delivery of this run failed, so that the next run should wait. */
  readonly hasFailed: boolean;
  readonly now: Date;
}

/** A recovery ended, manual or automatic. Events still missed are retried automatically, with a growing pause while runs fail. */
export function afterRecovery(life: EndpointLife, { isMissing, hasFailed, now }: RecoveryEnd): EndpointLife {
  if (!life.autoRecover || !life.active) return { ...life, recoverAt: null, recoverTries: 0 };
  if (!isMissing) return afterAllIsThere(life, now);
  const tries = hasFailed ? life.recoverTries : 0;
  const recoverAt = new Date(now.getTime() + recoveryPauseMs(tries));
  return { ...life, recoverAt, recoverTries: hasFailed ? tries + 1 : 0 };
}

/** Events that were being stored when the endpoint was enabled may still be held, so one more recovery runs a minute later. */
function afterAllIsThere(life: EndpointLife, now: Date): EndpointLife {
  const settledAt = life.enabledAt === null ? 0 : life.enabledAt.getTime() + lateEventsMs;
  if (settledAt > now.getTime()) return { ...life, recoverAt: new Date(settledAt), recoverTries: 0 };
  return { ...life, recoverAt: null, recoverTries: 0, enabledAt: null };
}

/** Longer than a database transaction lasts. */
const lateEventsMs = 60_000;

export interface OwnersChange {
  readonly active?: boolean | undefined;
  readonly autoRecover?: boolean | undefined;
}

/**
 * The owner switches the endpoint or its recovery on or off. Setting `active` to either value clears the platform's reason,
 * because the owner has decided. Enabling resets `failCount` (specification "Webhook endpoint") and begins a recovery.
 */
export function afterOwnersChange(life: EndpointLife, change: OwnersChange, now: Date): EndpointLife {
  const autoRecover = change.autoRecover ?? life.autoRecover;
  const switched = afterSwitch({ ...life, autoRecover }, change.active, now);
  if (!switched.autoRecover || !switched.active) return { ...switched, recoverAt: null };
  const isNews = change.active === true || (change.autoRecover === true && !life.autoRecover);
  return isNews ? answersAgain(switched, now) : switched;
}

function afterSwitch(life: EndpointLife, active: boolean | undefined, now: Date): EndpointLife {
  if (active === undefined) return life;
  const cleared = { ...life, active, disabledReason: null, disabledAt: null };
  return active ? { ...cleared, failCount: 0, enabledAt: now } : cleared;
}

/** Warning for the owner before the endpoint is disabled. */
export interface EndpointWarning {
  /** The warning step that was reached: 5 or 10 deliveries given up in a row. */
  readonly level: number;
  readonly message: string;
}

/** null while fewer than five deliveries in a row were given up, and once it is disabled (`disabledReason` then says why). */
export function warningOf({ active, failCount, lastError }: EndpointLife): EndpointWarning | null {
  const level = warnAfterFailures.findLast((step) => failCount >= step);
  if (!active || level === undefined) return null;
  const count = `${failCount} deliveries in a row were given up; at ${disableAfterFailures} the endpoint is disabled.`;
  return { level, message: lastError === null ? count : `${count} The last error was: ${lastError}` };
}
