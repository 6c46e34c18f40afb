import { endpointId } from '../../core/ids.ts';
import { readWebhookChange } from '../../schemas/webhooks/webhook-endpoint.ts';
import { param, type Answer, type ScopedCall } from '../http/route.ts';

export async function patchWebhook(call: ScopedCall): Promise<Answer> {
  const change = readWebhookChange(call.body);
  const wanted = { endpointId: endpointId(param(call, 'id')), change };
  return { status: 200, body: await call.dependencies.webhooks.change(call.scope, wanted) };
}
