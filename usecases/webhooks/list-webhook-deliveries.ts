import type { Scope } from '../../core/scope.ts';
import { listRecentAttempts, type DeliveryAttemptRow } from '../../store/webhook-deliveries-read.ts';
import type { AccountSideContext } from '../account-side-context.ts';

/** Source: specification "Limits". */
const deliveriesMax = 100;

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
  readonly httpStatus: number | null;
  readonly durationMs: number;
}

/** The 100 most recent attempts, newest first. */
export async function listWebhookDeliveries(
  context: Pick<AccountSideContext, 'store'>,
  scope: Scope,
): Promise<readonly WebhookDeliveryView[]> {
  const rows = await listRecentAttempts(context.store, scope.actingAccountId, deliveriesMax);
  return rows.map(describeAttempt);
}

const describeAttempt = (row: DeliveryAttemptRow): WebhookDeliveryView => ({
  id: row._id,
  externalId: row.externalId,
  eventType: row.eventType,
  status: row.status,
  errorMessage: row.errorMessage,
  createdAt: row.createdAt.toISOString(),
  ...(row.endpointId !== null && { endpointId: row.endpointId }),
  deliveryId: row.deliveryId,
  eventId: row.eventId,
  httpStatus: row.httpStatus,
  durationMs: row.durationMs,
});
