import type { AccountId, DeliveryId, EndpointId, RecoveryId } from '../ids.ts';

/** Where a recovery stands in the line of what was missed; the order is by these three. */
export interface RecoveryPosition {
  readonly eventAt: Date;
  readonly eventNumber: number;
  /** The event's first delivery; tells events of several members apart. */
  readonly first: DeliveryId;
}

/**
 * One run that sends again what a target missed, oldest first, one at a time. At most one runs for a target. It is stored, so
 * that it goes on after a crash, and stays readable when it has ended.
 */
export interface Recovery {
  readonly id: RecoveryId;
  /** Whose target it is. */
  readonly accountId: AccountId;
  readonly target: string;
  /** null for the account-level URL. */
  readonly endpointId: EndpointId | null;
  /** `auto`: it began by itself, because the endpoint has `autoRecover`. */
  readonly kind: 'manual' | 'auto';
  /** Events accepted from `since` to `until` (when it began); what is missed later is the next run's. */
  readonly since: Date;
  readonly until: Date;
  readonly state: 'running' | 'finished' | 'stopped';
  /** Why it was stopped; null otherwise. */
  readonly stoppedBecause: string | null;
  /** Events that it found missed when it began. */
  readonly total: number;
  readonly sent: number;
  readonly failed: number;
  readonly failedInARow: number;
  /** So many in a row end it. */
  readonly failedInARowMax: number;
  /** The last one taken; null at the beginning. */
  readonly position: RecoveryPosition | null;
  /** The delivery that is on its way; null between two. */
  readonly current: DeliveryId | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The platform recovers by itself what was missed in this time. Source: interface-decisions "Events and webhooks". */
export const autoRecoverWindowMs = 72 * 3_600_000;
/** Events and their deliveries are kept so long. */
export const keptMs = 30 * 24 * 3_600_000;
/**
 * A receiver that fails again is left in peace. The limit of automatic runs doubles from one to the next, so that events which
 * it never takes are passed over some day, although each run begins with the oldest.
 */
export const failedInARowMaxOf = (kind: Recovery['kind'], tries: number): number =>
  kind === 'manual' ? 10 : Math.min(24, 3 * 2 ** Math.min(tries, 3));

export type NewRecovery = Pick<
  Recovery,
  'id' | 'accountId' | 'target' | 'endpointId' | 'kind' | 'failedInARowMax' | 'since' | 'total' | 'createdAt'
>;

export const newRecovery = (wish: NewRecovery): Recovery => ({
  ...wish,
  until: wish.createdAt,
  state: 'running',
  stoppedBecause: null,
  ...{ sent: 0, failed: 0, failedInARow: 0 },
  ...{ position: null, current: null },
  updatedAt: wish.createdAt,
});

/** The next event was taken; `delivery` is null when it had got through meanwhile. */
export const afterTaking = (
  recovery: Recovery,
  taken: { position: RecoveryPosition; delivery: DeliveryId | null; now: Date },
): Recovery => ({ ...recovery, position: taken.position, current: taken.delivery, updatedAt: taken.now });

/**
 * How the delivery on its way has ended. `refused`: the receiver is up and doesn't take this event. `unsent`: there was nothing to
 * send any more, because the member or the target is gone, or the endpoint was disabled.
 */
export type RecoveredEnd = 'got-through' | 'failed' | 'refused' | 'unsent';

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

/** Answers about the event itself. Others (401, 404, 410, 429, 5xx) may mean that nothing gets through. */
const refusals: ReadonlySet<number> = new Set([400, 409, 413, 415, 422]);

/** `httpStatus` of the last attempt, null without an answer. */
export const failedEnd = (httpStatus: number | null): RecoveredEnd =>
  httpStatus !== null && refusals.has(httpStatus) ? 'refused' : 'failed';

export const stopped = (recovery: Recovery, because: string, now: Date): Recovery => ({
  ...recovery,
  state: 'stopped',
  stoppedBecause: because,
  updatedAt: now,
});

export const finished = (recovery: Recovery, now: Date): Recovery => ({
  ...recovery,
  state: 'finished',
  updatedAt: now,
});
