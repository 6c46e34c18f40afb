import { Refusal } from '../../core/errors.ts';
import type { Scope } from '../../core/scope.ts';
import { findAttempt, type DeliveryAttemptRow } from '../../store/deliveries/read-delivery-log.ts';
import type { Context } from '../context.ts';
import { describeAttempt, type WebhookDeliveryView } from './describe-delivery.ts';

export interface WebhookDeliveryDetails extends WebhookDeliveryView {
  /** First KB of the answer; null when there was none. */
  readonly response: string | null;
  /** What this attempt sent, byte for byte; null when it is no longer kept. */
  readonly request: { readonly body: string | null };
  /** How the whole delivery stands; null when it is no longer kept. */
  readonly delivery: { readonly state: string; readonly attempts: number; readonly purpose?: string } | null;
}

/** One record of the log with what was sent and answered, for the dashboard. Throws Refusal NOT_FOUND. */
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
function responseOf({ responseStart = '', httpStatus }: DeliveryAttemptRow): string | null {
  return responseStart === '' && httpStatus === null ? null : responseStart;
}
