import { readWebhookDelivery } from '../../usecases/webhooks/read-webhook-delivery.ts';
import { param, type Answer, type ScopedCall } from '../http/route.ts';

/** One attempt with what was sent and answered. */
export async function getWebhookDelivery(call: ScopedCall): Promise<Answer> {
  const { context, scope } = call;
  return { status: 200, body: await readWebhookDelivery(context, scope, param(call, 'id')) };
}
