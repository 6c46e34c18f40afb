import type { DeliveryAttemptRow } from '../../store/deliveries/read-delivery-log.ts';

/** A record of the log. Source: specification "Webhook delivery log record"; the rest is additional. */
export interface WebhookDeliveryView {
  readonly id: string;
  readonly externalId: string;
  readonly eventType: string;
  readonly status: 'success' | 'failed';
  readonly errorMessage: string | null;
  readonly createdAt: string;
  readonly endpointId?: string;
  readonly deliveryId: string;
  readonly eventId: string;
  readonly attempt: number;
  readonly httpStatus: number | null;
  readonly durationMs: number;
}

export const describeAttempt = (row: DeliveryAttemptRow): WebhookDeliveryView => ({
  id: row._id,
  externalId: row.externalId,
  eventType: row.eventType,
  status: row.status,
  errorMessage: row.errorMessage,
  createdAt: row.createdAt.toISOString(),
  ...(row.endpointId !== null && { endpointId: row.endpointId }),
  deliveryId: row.deliveryId,
  eventId: row.eventId,
  attempt: row.attempt,
  httpStatus: row.httpStatus,
  durationMs: row.durationMs,
});
