import {
  afterDelivery,
  afterTaking,
  failedEnd,
  finished,
  stopped,
  type RecoveredEnd,
  type Recovery,
} from './rules/recovery.ts';
import { attemptLeaseMs } from './rules/retry-schedule.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { findPendingDelivery, type DeliveryKey } from './store/deliveries.ts';
import { deliverAgain, dropMissed, findDeliveryEnd, findNextMissed } from './store/missed-deliveries.ts';
import { findRunning, replaceRecovery } from './store/recoveries.ts';
import type { TargetKey } from './store/waiting-deliveries.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { findDestination } from './store/webhook-targets.ts';
import { attemptDelivery } from './attempt-delivery.ts';
import { mayBeSent, presentBodies, type DeliveryContext } from './prepare-attempt.ts';
import { endRecovery } from './recover-target.ts';

/** `none`: no recovery runs. `under-way`: its present delivery has not ended. */
export type MissedStep = 'none' | 'went-on' | 'under-way';

/**
 * Goes one step on with the running recovery of a target: takes its oldest missed event, sends it, or counts its end. One event after
 * the other, each when the previous one has ended. All progress is in the row, so any process goes on with it.
 */
export async function sendMissed(context: DeliveryContext, target: TargetKey): Promise<MissedStep> {
  const { store, now } = context;
  const recovery = await findRunning(store, target);
  if (recovery === null) return 'none';
  if (recovery.current === null) {
    await takeNext(context, recovery);
    return 'went-on';
  }
  const current = { _id: recovery.current, accountId: recovery.accountId };
  if (!(await isEnded(context, current))) return 'under-way';
  const next = afterDelivery(recovery, endOf(await findDeliveryEnd(store, current)), now());
  await inTransaction(store, (session) => replaceRecovery(store, { previous: recovery, next, session }));
  return 'went-on';
}

/** Takes the oldest missed event not taken yet, or ends the run. */
async function takeNext(context: DeliveryContext, recovery: Recovery): Promise<void> {
  const { store, now } = context;
  const reason = await reasonToStop(store, recovery);
  if (reason !== null) return endRecovery(store, { previous: recovery, next: stopped(recovery, reason, now()) });
  const first = await findNextMissed(store, recovery, recovery.position);
  if (first === null) return endRecovery(store, { previous: recovery, next: finished(recovery, now()) });
  const body = (await presentBodies(store, [first]))(first);
  const may = mayBeSent({ ...first, purpose: 'recovery' }, await findDestination(store, recovery), body);
  await inTransaction(store, async (session) => {
    const at = now();
    const startAt = new Date(at.getTime() + attemptLeaseMs);
    const wish = { purpose: 'recovery', onlyIfMissed: true, startAt, now: at, session } as const;
    const mayNever = may.kind === 'end' && !may.missed;
    if (mayNever) await dropMissed(store, first, session);
    const delivery = mayNever ? null : await deliverAgain(store, { ...first, body: body ?? first.body }, wish);
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

/** Makes the first attempt; after its failure the delivery's own workflow makes the others. */
async function isEnded(context: DeliveryContext, current: DeliveryKey): Promise<boolean> {
  const pending = await findPendingDelivery(context.store, current);
  if (pending === null) return true;
  if (pending.attempts > 0) return false;
  const answer = await attemptDelivery(context, current, 1);
  if (answer === 'failed') context.starts.deliverySoon({ ...pending, attempts: 1 });
  return answer === 'closed';
}

function endOf(end: Awaited<ReturnType<typeof findDeliveryEnd>>): RecoveredEnd {
  if (end?.state === 'succeeded') return 'got-through';
  return end?.state === 'given_up' ? failedEnd(end.httpStatus) : 'unsent';
}
