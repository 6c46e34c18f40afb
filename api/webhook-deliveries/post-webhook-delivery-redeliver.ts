import { previewRedelivery } from '../../usecases/webhooks/redeliver.ts';
import { redeliver } from '../../usecases/webhooks/redeliver.ts';
import { readDryRun } from '../../schemas/webhooks/webhook-recovery.ts';
import { param, type Answer, type ScopedCall } from '../http/route.ts';

export async function postWebhookDeliveryRedeliver(call: ScopedCall): Promise<Answer> {
  const id = param(call, 'id');
  if (readDryRun(call.query)) return { status: 200, body: await previewRedelivery(call.context, call.scope, id) };
  return { status: 202, body: await redeliver(call.context, call.scope, id) };
}
