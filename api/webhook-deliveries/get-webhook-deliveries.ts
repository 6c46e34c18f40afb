import { listWebhookDeliveries } from '../../usecases/webhooks/list-webhook-deliveries.ts';
import { readWebhookDeliveryQuery } from '../../schemas/webhooks/webhook-delivery.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

export async function getWebhookDeliveries({ scope, context, query }: ScopedCall): Promise<Answer> {
  const deliveries = await listWebhookDeliveries(context, scope, readWebhookDeliveryQuery(query));
  return { status: 200, body: { deliveries } };
}
