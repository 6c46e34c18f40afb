import type { ClientSession } from 'mongoose';
import type { AuditEntry } from '../../accounts/rules/audit-entry.ts';
import type { AccountId, DeliveryId } from '../../rules/ids.ts';
import { deliveryIdOf, type DeliveryPurpose } from '../rules/delivery.ts';
import type { RecoveryPosition } from '../rules/recovery.ts';
import { recordAudit } from '../../accounts/store/audit.ts';
import { isDuplicateKey, type StoreConnection } from '../../../platform/database/connection.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import {
  deliveryOf,
  deliveryRows,
  insertDeliveries,
  newDelivery,
  type Delivery,
  type DeliveryKey,
  type DeliveryState,
} from './deliveries.ts';
import { attemptRows } from './delivery-attempts.ts';
import type { TargetKey } from './waiting-deliveries.ts';

/** Missed events of one target that were accepted from `since` until `until`, both inclusive. */
export interface MissedRange extends TargetKey {
  readonly since: Date;
  readonly until: Date;
}

const inRange = ({ target, accountId, since, until }: MissedRange) => ({
  target,
  accountId,
  missed: true,
  eventAt: { $gte: since, $lte: until },
});

export const countMissed = (store: StoreConnection, range: MissedRange, session?: ClientSession): Promise<number> =>
  deliveryRows(store).countDocuments(inRange(range), { ...(session !== undefined && { session }) });

export const isAnyMissed = async (
  store: StoreConnection,
  range: MissedRange,
  session: ClientSession,
): Promise<boolean> =>
  (await deliveryRows(store).findOne(inRange(range), { projection: { _id: 1 }, session })) !== null;

/** The first record of the oldest missed event after `position`, or null. */
export async function findNextMissed(
  store: StoreConnection,
  range: MissedRange,
  position: RecoveryPosition | null,
): Promise<Delivery | null> {
  const row = await deliveryRows(store).findOne(
    { ...inRange(range), ...(position !== null && after(position)) },
    { sort: { eventAt: 1, sequence: 1, _id: 1 } },
  );
  return row === null ? null : deliveryOf(row);
}

const after = ({ eventAt, sequence, first }: RecoveryPosition) => ({
  $or: [
    { eventAt: { $gt: eventAt } },
    { eventAt, sequence: { $gt: sequence } },
    { eventAt, sequence, _id: { $gt: first } },
  ],
});

/**
 * Makes the next delivery of an event to the same target, with the same bytes. The next ordinal is written before anything starts
 * (protocol 14). Returns null while another delivery of the event is in progress, and with `onlyIfMissed` when the event was
 * delivered meanwhile. The first record is written before this is checked, so of two concurrent calls one waits for the other.
 */
export async function deliverAgain(
  store: StoreConnection,
  first: Delivery,
  options: {
    purpose: DeliveryPurpose;
    onlyIfMissed: boolean;
    /** When a relay starts its workflow. A recovery makes the first attempt itself and gets more time. */
    startAt: Date;
    reservedId?: string | null;
    now: Date;
    session: ClientSession;
  },
): Promise<Delivery | null> {
  const { purpose, onlyIfMissed, startAt, reservedId = null, now, session } = options;
  const counted = await deliveryRows(store).findOneAndUpdate(
    { _id: first._id, accountId: first.accountId, ...(onlyIfMissed && { missed: true }) },
    { $inc: { lastOrdinal: 1 } },
    { session, returnDocument: 'after' },
  );
  if (counted === null || (await hasPendingDelivery(store, counted, session))) return null;
  const delivery = newDelivery({
    ...first,
    _id: deliveryIdOf({ ...first, ordinal: counted.lastOrdinal }),
    ordinal: counted.lastOrdinal,
    purpose,
    state: 'pending',
    missed: false,
    waits: false,
    startAt,
    createdAt: now,
    reservedId,
  });
  await insertDeliveries(store, [delivery], session);
  return delivery;
}

/** The event needs no delivery to this target any more: its owner has lost the right to it. */
export async function dropMissed(
  store: StoreConnection,
  { _id, accountId }: DeliveryKey,
  session: ClientSession,
): Promise<void> {
  await deliveryRows(store).updateOne({ _id, accountId }, { $set: { missed: false } }, { session });
}

export async function findDelivery(
  store: StoreConnection,
  accountId: AccountId,
  id: DeliveryId,
): Promise<Delivery | null> {
  const row = await deliveryRows(store).findOne({ _id: id, accountId });
  return row === null ? null : deliveryOf(row);
}

export async function findDeliveryOfAttempt(
  store: StoreConnection,
  accountId: AccountId,
  attemptId: string,
): Promise<Delivery | null> {
  const attempt = await attemptRows(store).findOne({ _id: attemptId, accountId }, { projection: { deliveryId: 1 } });
  return attempt === null ? null : findDelivery(store, accountId, attempt.deliveryId);
}

/** Whether a delivery of the same event to the same target has not ended yet. */
export async function hasPendingDelivery(
  store: StoreConnection,
  first: NamedDelivery,
  session?: ClientSession,
): Promise<boolean> {
  const options = { projection: { _id: 1 }, ...(session !== undefined && { session }) };
  const { accountId } = first;
  const filter = { _id: { $in: idsOf(first) }, accountId, state: 'pending' as const };
  return (await deliveryRows(store).findOne(filter, options)) !== null;
}

/** The delivery that an earlier attempt of the same call has created, or null. */
export async function findMadeFor(
  store: StoreConnection,
  first: Delivery,
  reservedId: string,
): Promise<Delivery | null> {
  const row = await deliveryRows(store).findOne({ _id: { $in: idsOf(first) }, accountId: first.accountId, reservedId });
  return row === null ? null : deliveryOf(row);
}

type NamedDelivery = Pick<Delivery, 'accountId' | 'eventId' | 'target' | 'lastOrdinal'>;

/** Ids of all deliveries of an event to a target. */
const idsOf = (first: NamedDelivery): DeliveryId[] =>
  Array.from({ length: first.lastOrdinal }, (_, index) => deliveryIdOf({ ...first, ordinal: index + 1 }));

/** Stores the delivery and its audit entry. No effect when the delivery exists already. */
export async function insertDeliveryOnce(store: StoreConnection, delivery: Delivery, audit: AuditEntry): Promise<void> {
  try {
    await inTransaction(store, async (session) => {
      await insertDeliveries(store, [delivery], session);
      await recordAudit(store, audit, session);
    });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}

/** State of a delivery, and the HTTP status of its last recorded attempt; null when the delivery is gone. */
export async function findDeliveryEnd(
  store: StoreConnection,
  { _id: deliveryId, accountId }: DeliveryKey,
): Promise<{ state: DeliveryState; httpStatus: number | null } | null> {
  const row = await deliveryRows(store).findOne({ _id: deliveryId, accountId }, { projection: { state: 1 } });
  if (row === null) return null;
  const last = await attemptRows(store).findOne(
    { accountId, deliveryId, status: { $in: ['success', 'failed'] } },
    { projection: { httpStatus: 1 }, sort: { createdAt: -1, _id: -1 } },
  );
  return { state: row.state, httpStatus: last?.httpStatus ?? null };
}
