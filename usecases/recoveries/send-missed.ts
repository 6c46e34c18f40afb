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
import { attemptLeaseMs } from '../../core/webhooks/delivery.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { deliverAgain, findDeliveryEnd, findNextMissed } from '../../store/deliveries/missed-deliveries.ts';
import { findRecovery, replaceRecovery } from '../../store/deliveries/recoveries.ts';
import { inTransaction } from '../../store/database/transaction.ts';
import { findDestination } from '../../store/webhooks/webhook-targets.ts';
import { attemptDelivery } from '../deliveries/attempt-delivery.ts';
import { presentBodies, type DeliveryContext } from '../deliveries/prepare-attempt.ts';
import { endRecovery } from './recover-target.ts';

/** Tells the recovery's workflow what to do next. */
export type RecoveryStep =
  | { readonly kind: 'ended' }
  /** There are further events to send. */
  | { readonly kind: 'more'; readonly progress: string }
  /** Another worker is making the attempt. */
  | { readonly kind: 'busy'; readonly progress: string }
  /** A delivery failed at the first attempt: the workflow makes its further attempts, then calls again. */
  | { readonly kind: 'follow'; readonly deliveryId: DeliveryId; readonly progress: string };

/** Recoveries send with the same means as all other deliveries. */
export interface RecoveryDependencies extends DeliveryContext {
  readonly pause: (ms: number) => Promise<unknown>;
}

/** One delivery at a time, at most twenty a second, so that a receiver that has just come up is not overloaded. */
const spacingMs = 50;
/** Limits one call, because a worker that shuts down waits for it. */
const budgetMs = 5_000;

/**
 * Sends the events of a recovery for some seconds, oldest first, each after the previous one has ended. All progress is in the
 * row. So a repeated call continues with the delivery that is under way.
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

/** Takes the oldest missed event not taken yet, or ends the run. */
async function takeNext({ store, now }: RecoveryDependencies, recovery: Recovery): Promise<void> {
  const reason = await reasonToStop(store, recovery);
  if (reason !== null) return endRecovery(store, { previous: recovery, next: stopped(recovery, reason, now()) });
  const first = await findNextMissed(store, recovery, recovery.position);
  if (first === null) return endRecovery(store, { previous: recovery, next: finished(recovery, now()) });
  // null for a member that has left or does not share its orders; the attempt then closes the delivery as stopped.
  const body = (await presentBodies(store, [first]))(first) ?? first.body;
  await inTransaction(store, async (session) => {
    const at = now();
    const startAt = new Date(at.getTime() + attemptLeaseMs);
    const wish = { purpose: 'recovery', onlyIfMissed: true, startAt, now: at, session } as const;
    const delivery = await deliverAgain(store, { ...first, body }, wish);
    const position = { eventAt: first.eventAt, sequence: first.sequence, first: first._id };
    const next = afterTaking(recovery, { position, delivery: delivery?._id ?? null, now: at });
    const isOurs = await replaceRecovery(store, { previous: recovery, next, session });
    // Another worker took the event, so nothing of this transaction may stay.
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

/** Returns null when the delivery under way has ended; its outcome is then counted. */
async function goOn(
  dependencies: RecoveryDependencies,
  recovery: Recovery,
  current: DeliveryId,
): Promise<RecoveryStep | null> {
  const { store, now } = dependencies;
  const step = await attemptDelivery(dependencies, current);
  if (step.kind !== 'closed') return { kind: 'follow', deliveryId: current, progress: progressOf(recovery) };
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
