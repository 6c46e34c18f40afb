import type { AccountId, DeliveryId, EndpointId, EventId } from '../core/ids.ts';
import type { StoreConnection } from './connection.ts';

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
  readonly status: 'success' | 'failed';
  readonly errorMessage: string | null;
  readonly httpStatus: number | null;
  readonly durationMs: number;
  readonly createdAt: Date;
}

/** Newest first. The collection and its indexes are defined where attempts are written; this only reads what the log shows. */
export async function listRecentAttempts(
  store: StoreConnection,
  accountId: AccountId,
  rowsMax: number,
): Promise<DeliveryAttemptRow[]> {
  const rows = store.connection.collection<DeliveryAttemptRow>('delivery_attempts');
  return rows.find({ accountId }).sort({ createdAt: -1 }).limit(rowsMax).toArray();
}
