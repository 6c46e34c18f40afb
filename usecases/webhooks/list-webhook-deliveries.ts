import type { Scope } from '../../core/scope.ts';
import { listRecentAttempts, type AttemptFilter } from '../../store/deliveries/read-delivery-log.ts';
import type { Context } from '../context.ts';
import { describeAttempt, type WebhookDeliveryView } from './describe-delivery.ts';

/** Source: specification "Limits". */
const deliveriesMax = 100;

/** The 100 most recent attempts that match, newest first. */
export async function listWebhookDeliveries(
  context: Pick<Context, 'store'>,
  scope: Scope,
  filter: AttemptFilter = {},
): Promise<readonly WebhookDeliveryView[]> {
  const rows = await listRecentAttempts(context.store, scope.actingAccountId, { filter, rowsMax: deliveriesMax });
  return rows.map(describeAttempt);
}
