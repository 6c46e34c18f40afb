import { readDryRun } from '../../schemas/webhooks/webhook-recovery.ts';
import { param, type Answer, type ScopedCall } from '../http/route.ts';

export async function postWebhookDeliveryRedeliver(call: ScopedCall): Promise<Answer> {
  const { webhooks } = call.dependencies;
  const id = param(call, 'id');
  if (readDryRun(call.query)) return { status: 200, body: await webhooks.previewRedelivery(call.scope, id) };
  return { status: 202, body: await webhooks.redeliver(call.scope, id) };
}
