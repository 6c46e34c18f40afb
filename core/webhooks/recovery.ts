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
  /** Events stored from `since` to `until` (when it began); what is missed later is the next run's. */
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
  /** The last one taken; null at the beginning. */
  readonly position: RecoveryPosition | null;
  /** The delivery that is on its way; null between two. */
  readonly current: DeliveryId | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The platform recovers by itself what was missed in this time. Source: decisions "Events and webhooks". */
export const autoRecoverWindowMs = 72 * 3_600_000;
/** Events and their deliveries are kept so long. */
export const keptMs = 30 * 24 * 3_600_000;
/** A receiver that fails again is left in peace; one that refuses single events does not hold up the rest. */
export const failuresInARowMax = 3;

export type NewRecovery = Pick<
  Recovery,
  'id' | 'accountId' | 'target' | 'endpointId' | 'kind' | 'since' | 'total' | 'createdAt'
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

/** The delivery on its way has ended. */
export function afterDelivery(recovery: Recovery, { gotThrough, now }: { gotThrough: boolean; now: Date }): Recovery {
  const done = { ...recovery, current: null, updatedAt: now };
  if (gotThrough) return { ...done, sent: done.sent + 1, failedInARow: 0 };
  return { ...done, failed: done.failed + 1, failedInARow: done.failedInARow + 1 };
}

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

/** From when an automatic recovery sends again; null when nothing was missed. */
export function autoRecoverSince(missedSince: Date | null, now: Date): Date | null {
  if (missedSince === null) return null;
  return new Date(Math.max(missedSince.getTime(), now.getTime() - autoRecoverWindowMs));
}
