import type { mongo } from 'mongoose';
import type { AccountId, DeliveryId, EndpointId, EventId } from '../../core/ids.ts';
import type { StoreConnection } from '../database/connection.ts';

/** One HTTP try of a delivery, as the log shows it. Written by the deliveries, one row an attempt. */
export interface DeliveryAttemptRow {
  readonly _id: string;
  readonly accountId: AccountId;
  readonly deliveryId: DeliveryId;
  /** null for the account-level URL. */
  readonly endpointId: EndpointId | null;
  readonly eventId: EventId;
  readonly externalId: string;
  readonly eventType: string;
  /** 1 for the first try of the delivery. */
  readonly attempt: number;
  readonly status: 'success' | 'failed';
  readonly errorMessage: string | null;
  readonly httpStatus: number | null;
  readonly durationMs: number;
  /** First KB of what the receiver answered. */
  readonly responseStart?: string;
  /** What it sent, when that is not the delivery's body. */
  readonly body?: mongo.Binary;
  readonly createdAt: Date;
}

/** All conditions hold together; those left out don't restrict. */
export interface AttemptFilter {
  /** null for the account-level URL. */
  readonly endpointId?: EndpointId | null;
  readonly status?: 'success' | 'failed';
  readonly eventType?: string;
  readonly externalId?: string;
  readonly deliveryId?: DeliveryId;
}

const eitherStatus = ['failed', 'success'] as const;

/**
 * Newest first; of two in one millisecond the order is always the same. The collection and its indexes are defined where attempts
 * are written; this only reads what the log shows. Each index has the status before the time: naming both is what lets the
 * newest of either be merged instead of sorted.
 */
export async function listRecentAttempts(
  store: StoreConnection,
  accountId: AccountId,
  { filter = {}, rowsMax }: { filter?: AttemptFilter; rowsMax: number },
): Promise<DeliveryAttemptRow[]> {
  const { status, ...equal } = filter;
  const wanted = { accountId, ...equal, status: status ?? { $in: [...eitherStatus] } };
  return attempts(store)
    .find(wanted, { projection: { responseStart: 0, body: 0 } })
    .sort({ createdAt: -1, _id: -1 })
    .limit(rowsMax)
    .toArray();
}

/** The delivery that an attempt was made for, as far as the log shows it. */
export interface AttemptedDelivery {
  readonly state: string;
  readonly attempts: number;
  /** Why it was made. */
  readonly purpose?: string;
  /** The bytes that were signed and sent by every attempt that has none of its own. */
  readonly body: Buffer;
}

export interface AttemptWithDelivery {
  readonly attempt: DeliveryAttemptRow;
  /** null when it was removed already: it is kept from its making, its attempts from their own times. */
  readonly delivery: AttemptedDelivery | null;
}

/** One attempt on behalf of this account, or null. */
export async function findAttempt(
  store: StoreConnection,
  accountId: AccountId,
  id: string,
): Promise<AttemptWithDelivery | null> {
  const attempt = await attempts(store).findOne({ _id: id, accountId });
  if (attempt === null) return null;
  const row = await store.connection
    .collection<DeliveryRow>('deliveries')
    .findOne(
      { _id: attempt.deliveryId, accountId },
      { projection: { _id: 0, state: 1, attempts: 1, purpose: 1, body: 1 } },
    );
  return { attempt, delivery: row === null ? null : { ...row, body: Buffer.from(row.body.buffer) } };
}

const attempts = (store: StoreConnection): mongo.Collection<DeliveryAttemptRow> =>
  store.connection.collection<DeliveryAttemptRow>('delivery_attempts');

/** As the driver reads it: bytes come in a wrapper of its own. */
interface DeliveryRow extends Omit<AttemptedDelivery, 'body'> {
  readonly _id: DeliveryId;
  readonly accountId: AccountId;
  readonly body: mongo.Binary;
}
