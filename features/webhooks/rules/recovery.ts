import type { AccountId, DeliveryId, EndpointId, RecoveryId } from '../../rules/ids.ts';

/** Position of a recovery among the missed events, which are ordered by these three fields. */
export interface RecoveryPosition {
  readonly eventAt: Date;
  readonly sequence: number;
  /** The event's first delivery; distinguishes events of several members. */
  readonly first: DeliveryId;
}

/**
 * One run that sends a target its missed events again, oldest first, one at a time. A target has at most one running recovery. It
 * is stored, so that it continues after a crash and stays readable after its end.
 */
export interface Recovery {
  readonly id: RecoveryId;
  /** The account that owns the target. */
  readonly accountId: AccountId;
  readonly target: string;
  /** null for the account-level URL. */
  readonly endpointId: EndpointId | null;
  /** `auto`: the platform began it, because the endpoint has `autoRecover`. */
  readonly kind: 'manual' | 'auto';
  /** Covers events accepted from `since` to `until`, the time it began. Events missed later belong to the next run. */
  readonly since: Date;
  readonly until: Date;
  readonly state: 'running' | 'finished' | 'stopped';
  /** Why it was stopped; null otherwise. */
  readonly stoppedBecause: string | null;
  /** Number of missed events when it began. */
  readonly total: number;
  readonly sent: number;
  readonly failed: number;
  readonly failedInARow: number;
  /** This many failures in a row end the recovery. */
  readonly failedInARowMax: number;
  /** Position of the last event taken; null at the beginning. */
  readonly position: RecoveryPosition | null;
  /** The delivery in progress; null between two. */
  readonly current: DeliveryId | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Age up to which missed events are recovered automatically. Source: interface-decisions "Events and webhooks". */
export const autoRecoverWindowMs = 72 * 3_600_000;
/** How long events and their deliveries are kept. */
export const keptMs = 30 * 24 * 3_600_000;
/**
 * Failures in a row that end a run, so that a receiver that fails again is not called on and on. The limit of automatic runs
 * doubles from run to run: each begins with the oldest event, and must get past events that the receiver never accepts.
 */
export const failedInARowMaxOf = (kind: Recovery['kind'], tries: number): number =>
  kind === 'manual' ? 10 : Math.min(24, 3 * 2 ** Math.min(tries, 3));

export type NewRecovery = Pick<
  Recovery,
  'id' | 'accountId' | 'target' | 'endpointId' | 'kind' | 'failedInARowMax' | 'since' | 'total' | 'createdAt'
>;

/** A run that has not begun to send. */
export const newRecovery = (wish: NewRecovery): Recovery => ({
  ...wish,
  until: wish.createdAt,
  state: 'running',
  stoppedBecause: null,
  sent: 0,
  failed: 0,
  failedInARow: 0,
  position: null,
  current: null,
  updatedAt: wish.createdAt,
});

/** The next event was taken; `delivery` is null when the event was delivered meanwhile. */
export const afterTaking = (
  recovery: Recovery,
  taken: { position: RecoveryPosition; delivery: DeliveryId | null; now: Date },
): Recovery => ({ ...recovery, position: taken.position, current: taken.delivery, updatedAt: taken.now });

/**
 * Outcome of the delivery in progress. `refused`: the receiver is up but does not accept this event. `unsent`: nothing was sent,
 * because the member or the target is gone, or the endpoint was disabled.
 */
export type RecoveredEnd = 'got-through' | 'failed' | 'refused' | 'unsent';

/** The run after its current delivery has ended. */
export function afterDelivery(recovery: Recovery, end: RecoveredEnd, now: Date): Recovery {
  const done = { ...recovery, current: null, updatedAt: now };
  switch (end) {
    case 'got-through':
      return { ...done, sent: done.sent + 1, failedInARow: 0 };
    case 'failed':
      return { ...done, failed: done.failed + 1, failedInARow: done.failedInARow + 1 };
    case 'refused':
      return { ...done, failed: done.failed + 1 };
    case 'unsent':
      return done;
  }
}

/** Statuses that refuse this one event. Others (401, 404, 410, 429, 5xx) may mean that every event fails. */
const refusals: ReadonlySet<number> = new Set([400, 409, 413, 415, 422]);

/** `httpStatus` of the last attempt, null without an answer. */
export const failedEnd = (httpStatus: number | null): RecoveredEnd =>
  httpStatus !== null && refusals.has(httpStatus) ? 'refused' : 'failed';

/** The run, stopped early. `because` is shown to the owner. */
export const stopped = (recovery: Recovery, because: string, now: Date): Recovery => ({
  ...recovery,
  state: 'stopped',
  stoppedBecause: because,
  updatedAt: now,
});

/** The run, completed. */
export const finished = (recovery: Recovery, now: Date): Recovery => ({
  ...recovery,
  state: 'finished',
  updatedAt: now,
});
