import { changeWebhook } from '../../usecases/webhooks/change-webhook.ts';
import { endpointId } from '../../core/ids.ts';
import { readWebhookChange } from '../../schemas/webhooks/webhook-endpoint.ts';
import { param, type Answer, type ScopedCall } from '../http/route.ts';

export async function patchWebhook(call: ScopedCall): Promise<Answer> {
  const change = readWebhookChange(call.body);
  const wanted = { endpointId: endpointId(param(call, 'id')), change };
  return { status: 200, body: await changeWebhook(call.context, call.scope, wanted) };
}
