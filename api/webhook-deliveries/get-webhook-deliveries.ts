import { readWebhookDeliveryQuery } from '../../schemas/webhooks/webhook-delivery.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

export async function getWebhookDeliveries({ scope, dependencies, query }: ScopedCall): Promise<Answer> {
  const deliveries = await dependencies.webhooks.listDeliveries(scope, readWebhookDeliveryQuery(query));
  return { status: 200, body: { deliveries } };
}
