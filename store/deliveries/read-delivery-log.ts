import type { mongo } from 'mongoose';
import type { AccountId, DeliveryId, EndpointId, EventId } from '../../core/ids.ts';
import type { StoreConnection } from '../database/connection.ts';

/** One HTTP attempt of a delivery, as the log shows it. Written by deliveries.ts, one row per attempt. */
export interface DeliveryAttemptRow {
  readonly _id: string;
  readonly accountId: AccountId;
  readonly deliveryId: DeliveryId;
  /** null for the account-level URL. */
  readonly endpointId: EndpointId | null;
  readonly eventId: EventId;
  readonly externalId: string;
  readonly eventType: string;
  /** 1 for the first attempt of the delivery. */
  readonly attempt: number;
  readonly status: 'success' | 'failed';
  readonly errorMessage: string | null;
  readonly httpStatus: number | null;
  readonly durationMs: number;
  /** First KB of the receiver's answer. */
  readonly responseStart?: string;
  /** The bytes that this attempt sent, when they differ from the delivery's body. */
  readonly body?: mongo.Binary;
  readonly createdAt: Date;
}

/** All given conditions must hold; an absent one does not restrict. */
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
 * Newest first; attempts of one millisecond have a stable order. The collection and its indexes are defined where attempts are
 * written (deliveries.ts). Each index has the status before the time: naming both statuses lets the server merge them instead of
 * sorting.
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

/** The delivery of an attempt, as far as the log shows it. */
export interface AttemptedDelivery {
  readonly state: string;
  readonly attempts: number;
  /** Why the delivery was made. */
  readonly purpose?: string;
  /** The bytes that every attempt has signed and sent, unless it has its own. */
  readonly body: Buffer;
}

export interface AttemptWithDelivery {
  readonly attempt: DeliveryAttemptRow;
  /** null when it is removed already: its retention starts at its creation, that of an attempt at the attempt's own time. */
  readonly delivery: AttemptedDelivery | null;
}

/** One attempt of this account, or null. */
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

/** The row as the driver reads it: it wraps bytes in its own class. */
interface DeliveryRow extends Omit<AttemptedDelivery, 'body'> {
  readonly _id: DeliveryId;
  readonly accountId: AccountId;
  readonly body: mongo.Binary;
}
