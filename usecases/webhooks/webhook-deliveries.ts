import { Refusal } from '../../core/errors.ts';
import type { Scope } from '../../core/scope.ts';
import { writeWebhookDeliveryCursor, type WebhookDeliveryQuery } from '../../schemas/webhooks/webhook-delivery.ts';
import type { Delivery } from '../../store/deliveries/deliveries.ts';
import { findAttempt, listRecentAttempts, type DeliveryAttemptRow } from '../../store/deliveries/delivery-attempts.ts';
import type { Context } from '../context.ts';

export interface WebhookDeliveryPage {
  readonly deliveries: readonly WebhookDeliveryView[];
  /** Left out where the call asked for no page. */
  readonly nextCursor?: string | null;
}

/** The most recent attempts that match, newest first; 100 of them where the call asks for no page. */
export async function listWebhookDeliveries(
  { store }: Pick<Context, 'store'>,
  { actingAccountId }: Scope,
  { filter, limit, behind, isPaged }: WebhookDeliveryQuery,
): Promise<WebhookDeliveryPage> {
  // One more than the page shows, to tell whether there are more.
  const rows = await listRecentAttempts(store, actingAccountId, { filter, behind, rowsMax: limit + 1 });
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  const nextCursor =
    last === undefined ? null : writeWebhookDeliveryCursor({ at: last.createdAt, id: last._id }, filter);
  return { deliveries: shown.map(describeAttempt), ...(isPaged && { nextCursor }) };
}

export interface WebhookDeliveryDetails extends WebhookDeliveryView {
  /** First KB of the answer; null without an answer. */
  readonly response: string | null;
  /** The bytes that this attempt sent; null when no longer stored. */
  readonly request: { readonly body: string | null };
  /** The state of the whole delivery; null when no longer stored. */
  readonly delivery: { readonly state: string; readonly attempts: number; readonly purpose?: string } | null;
}

/** One log record with its request and answer, for the dashboard. Throws Refusal NOT_FOUND. */
export async function readWebhookDelivery(
  context: Pick<Context, 'store'>,
  scope: Scope,
  id: string,
): Promise<WebhookDeliveryDetails> {
  const found = await findAttempt(context.store, scope.actingAccountId, id);
  if (found === null) throw new Refusal('NOT_FOUND', 'There is no such delivery record');
  const { attempt, delivery } = found;
  return {
    ...describeAttempt(attempt),
    response: responseOf(attempt),
    request: { body: sentBy(attempt)?.toString('utf8') ?? delivery?.body.toString('utf8') ?? null },
    delivery: delivery && {
      state: delivery.state,
      attempts: delivery.attempts,
      ...(delivery.purpose !== undefined && { purpose: delivery.purpose }),
    },
  };
}

/** A member's reference may have been changed between two attempts: then each sent its own. */
const sentBy = ({ body }: DeliveryAttemptRow): Buffer | undefined => (body ? Buffer.from(body.buffer) : undefined);

/** An empty body was an answer too. */
function responseOf({ responseStart, httpStatus }: DeliveryAttemptRow): string | null {
  return responseStart === '' && httpStatus === null ? null : responseStart;
}

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

/** A delivery requested by a caller; its outcome is in the log under its id. */
export interface MadeDelivery {
  readonly deliveryId: string;
  readonly eventId: string;
}

export const describeMade = ({ _id, eventId }: Delivery): MadeDelivery => ({ deliveryId: _id, eventId });
