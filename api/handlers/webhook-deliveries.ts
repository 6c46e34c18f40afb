import { readWebhookDeliveryQuery } from '../../schemas/webhooks/webhook-delivery.ts';
import { readDryRun } from '../../schemas/webhooks/webhook-recovery.ts';
import {
  listWebhookDeliveries,
  previewRedelivery,
  readWebhookDelivery,
  redeliver,
} from '../../usecases/webhooks/webhook-deliveries.ts';
import { param, type Answer, type ScopedCall } from '../http/route.ts';

export async function getWebhookDeliveries({ scope, context, query }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await listWebhookDeliveries(context, scope, readWebhookDeliveryQuery(query)) };
}

/** Returns one attempt with its request and answer. */
export async function getWebhookDelivery(call: ScopedCall): Promise<Answer> {
  const { context, scope } = call;
  return { status: 200, body: await readWebhookDelivery(context, scope, param(call, 'id')) };
}

export async function postWebhookDeliveryRedeliver(call: ScopedCall): Promise<Answer> {
  const id = param(call, 'id');
  if (readDryRun(call.query)) return { status: 200, body: await previewRedelivery(call.context, call.scope, id) };
  return { status: 202, body: await redeliver(call.context, call.scope, id) };
}
