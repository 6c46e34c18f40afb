import type { DeliveryId, RecoveryId } from '../../core/ids.ts';
import {
  afterDelivery,
  afterTaking,
  failedEnd,
  finished,
  stopped,
  type RecoveredEnd,
  type Recovery,
} from '../../core/webhooks/recovery.ts';
import { attemptLeaseMs } from '../../core/webhooks/retry-schedule.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { deliverAgain, findDeliveryEnd, findNextMissed } from '../../store/deliveries/missed-deliveries.ts';
import { findRecovery, replaceRecovery } from '../../store/deliveries/recoveries.ts';
import { inTransaction } from '../../store/database/transaction.ts';
import { findDestination } from '../../store/webhooks/webhook-targets.ts';
import type { DeliveryStep } from '../deliveries/delivery-dependencies.ts';
import { presentBody } from '../deliveries/present-body.ts';
import { endRecovery } from './own-recoveries.ts';

/** What the recovery's workflow does next. */
export type RecoveryStep =
  | { readonly kind: 'ended' }
  /** More to send. */
  | { readonly kind: 'more'; readonly progress: string }
  /** Somebody else is making the attempt. */
  | { readonly kind: 'busy'; readonly progress: string }
  /** A delivery did not get through at once: the workflow makes its further attempts, then asks again. */
  | {
      readonly kind: 'follow';
      readonly deliveryId: DeliveryId;
      readonly step: DeliveryStep;
      readonly progress: string;
    };

export interface RecoveryDependencies {
  readonly store: StoreConnection;
  /** One attempt of a delivery, whatever its receiver is like. */
  readonly attempt: (id: DeliveryId) => Promise<DeliveryStep>;
  readonly pause: (ms: number) => Promise<unknown>;
  readonly now: () => Date;
}

/** One at a time, and at most twenty a second: a receiver that has just come up is not run over. */
const spacingMs = 50;
/** Longer, and a worker that shuts down would have to wait for it. */
const budgetMs = 5_000;

/**
 * Sends what a recovery has to send, oldest first, each after the one before it has ended, for some seconds. All progress is in
 * the record, so it may be called again at any time: it goes on with the delivery that is on its way.
 */
export async function sendMissed(dependencies: RecoveryDependencies, id: RecoveryId): Promise<RecoveryStep> {
  const { store, now, pause } = dependencies;
  const until = now().getTime() + budgetMs;
  for (;;) {
    const startedAt = now().getTime();
    const recovery = await findRecovery(store, id);
    if (recovery?.state !== 'running') return { kind: 'ended' };
    if (recovery.current === null) await takeNext(dependencies, recovery);
    else {
      const step = await goOn(dependencies, recovery, recovery.current);
      if (step !== null) return step;
      await pause(Math.max(0, spacingMs - (now().getTime() - startedAt)));
    }
    if (now().getTime() > until) return { kind: 'more', progress: progressOf(recovery) };
  }
}

/** Takes the oldest missed event that was not taken yet, or ends the run. */
async function takeNext({ store, now }: RecoveryDependencies, recovery: Recovery): Promise<void> {
  const reason = await reasonToStop(store, recovery);
  if (reason !== null) return endRecovery(store, { previous: recovery, next: stopped(recovery, reason, now()) });
  const first = await findNextMissed(store, recovery, recovery.position);
  if (first === null) return endRecovery(store, { previous: recovery, next: finished(recovery, now()) });
  // Of a member that has left: its attempt closes it as stopped.
  const body = (await presentBody(store, first)) ?? first.body;
  await inTransaction(store, async (session) => {
    const at = now();
    const nextAttemptAt = new Date(at.getTime() + attemptLeaseMs);
    const wish = { purpose: 'recovery', onlyIfMissed: true, nextAttemptAt, now: at, session } as const;
    const delivery = await deliverAgain(store, { ...first, body }, wish);
    const position = { eventAt: first.eventAt, eventNumber: first.eventNumber, first: first._id };
    const next = afterTaking(recovery, { position, delivery: delivery?._id ?? null, now: at });
    const isOurs = await replaceRecovery(store, { previous: recovery, next, session });
    // Somebody else took it: nothing of this may stay.
    if (!isOurs) await session.abortTransaction();
  });
}

async function reasonToStop(store: StoreConnection, recovery: Recovery): Promise<string | null> {
  if (recovery.failedInARow >= recovery.failedInARowMax) return `${recovery.failedInARow} in a row did not get through`;
  const destination = await findDestination(store, recovery);
  if (destination === null) return 'there is no such endpoint any more';
  if (!destination.active) return 'the endpoint was disabled';
  return recovery.kind === 'auto' && !destination.autoRecover ? 'autoRecover was switched off' : null;
}

/** null when the delivery on its way has ended; its outcome is then counted. */
async function goOn(
  { store, attempt, now }: RecoveryDependencies,
  recovery: Recovery,
  current: DeliveryId,
): Promise<RecoveryStep | null> {
  const step = await attempt(current);
  if (step.kind !== 'closed') return { kind: 'follow', deliveryId: current, step, progress: progressOf(recovery) };
  const end = await findDeliveryEnd(store, current);
  if (end?.state === 'pending') return { kind: 'busy', progress: progressOf(recovery) };
  const next = afterDelivery(recovery, endOf(end), now());
  await inTransaction(store, (session) => replaceRecovery(store, { previous: recovery, next, session }));
  return null;
}

function endOf(end: Awaited<ReturnType<typeof findDeliveryEnd>>): RecoveredEnd {
  if (end?.state === 'succeeded') return 'got-through';
  return end?.state === 'given_up' ? failedEnd(end.httpStatus) : 'unsent';
}

const progressOf = ({ sent, failed, total, since }: Recovery): string =>
  `Sends again what was missed since ${since.toISOString()}: ${sent} of ${total} got through, ${failed} failed.`;
