import type { ClientSession } from 'mongoose';
import type { Due } from '../../core/due.ts';
import type { DeliveryId } from '../../core/ids.ts';
import type { StoreConnection } from '../database/connection.ts';
import { inTransaction } from '../database/transaction.ts';
import { deliveryRows, firstOf, isFirst, noteDeliveries, type Delivery } from './deliveries.ts';
import { logAttempts, attemptRows, type DeliveryAttempt } from './delivery-attempts.ts';

/** How a delivery goes on after an attempt. */
export interface Continuation {
  /** When the next attempt may be made. */
  readonly retryAt: Date;
  readonly due: Due;
}

/**
 * Writes the outcomes of attempts that touch nothing but their own deliveries: those that got through, or that are tried again.
 * First their log, then their rows, so a process that takes an attempt over finds what is known of it. A row that another process
 * has taken over meanwhile stays as it is, and so does one whose attempt another process has logged with another status: its
 * process writes the row, or one that finds it after the lease.
 */
export async function completeTogether(
  store: StoreConnection,
  ends: readonly { readonly attempt: DeliveryAttempt; readonly goesOn: Continuation | null }[],
  now: Date,
): Promise<void> {
  const logged = ends.map(({ attempt }) => attempt);
  const overruled = await logAttempts(store, logged);
  const ours = ends.filter(({ attempt }) => !overruled.has(attempt._id));
  if (ours.length === 0) return;
  const succeeded = ours.flatMap(({ attempt, goesOn }) => (goesOn === null ? [attempt] : []));
  const updatedAt = now;
  const operations = [
    ...groupedByAttempt(succeeded).map((filter) => ({
      updateMany: {
        filter,
        update: { $set: { state: 'succeeded' as const, due: null, inFlightSince: null, updatedAt } },
      },
    })),
    ...ours.flatMap(({ attempt, goesOn }) =>
      goesOn === null
        ? []
        : [{ updateOne: { filter: openAt(attempt), update: { $set: { ...goesOn, inFlightSince: null, updatedAt } } } }],
    ),
  ];
  await deliveryRows(store).bulkWrite(operations, { ordered: false });
  for (const accountId of new Set(ours.map(({ attempt }) => attempt.accountId))) noteDeliveries(store, accountId);
}

const openAt = ({ deliveryId: _id, attempt: attempts }: DeliveryAttempt) => ({
  _id,
  state: 'pending' as const,
  attempts,
  inFlightSince: { $type: 'date' as const },
});

/** One filter for all rows with the same number of attempts. */
function groupedByAttempt(attempts: readonly DeliveryAttempt[]) {
  const numbers = [...new Set(attempts.map(({ attempt }) => attempt))];
  return numbers.map((number) => {
    const ids: DeliveryId[] = attempts.flatMap(({ attempt, deliveryId }) => (attempt === number ? [deliveryId] : []));
    return {
      _id: { $in: ids },
      state: 'pending' as const,
      attempts: number,
      inFlightSince: { $type: 'date' as const },
    };
  });
}

export interface End {
  readonly attempt: DeliveryAttempt;
  readonly state: 'succeeded' | 'given_up';
  /** Runs in the same transaction, and only if the record is still open. */
  readonly alsoWrite: (session: ClientSession) => Promise<void>;
}

/**
 * Ends a delivery, with its log record and what its end does to its target, in one transaction. Does nothing where another process has
 * logged the attempt with another status.
 */
export function endDelivery(
  store: StoreConnection,
  delivery: Delivery,
  { attempt, state, alsoWrite }: End,
): Promise<void> {
  const deliveries = deliveryRows(store);
  return inTransaction(store, async (session) => {
    const { _id } = attempt;
    const logged = await attemptRows(store).findOne({ _id }, { projection: { status: 1 }, session });
    if (logged !== null && logged.status !== attempt.status) return;
    const missed = state === 'given_up' && isFirst(delivery);
    const ended = { state, missed, due: null, retryAt: null, inFlightSince: null, updatedAt: attempt.createdAt };
    const result = await deliveries.updateOne(openAt(attempt), { $set: ended }, { session });
    if (result.modifiedCount === 0) return;
    if (logged === null) await logAttempts(store, [attempt], session);
    if (state === 'succeeded' && delivery.ordinal > 1)
      await deliveries.updateOne({ _id: firstOf(delivery) }, { $set: { missed: false } }, { session });
    await alsoWrite(session);
    noteDeliveries(store, delivery.accountId, session);
  });
}
