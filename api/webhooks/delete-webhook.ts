import { deleteWebhook as removeWebhook } from '../../usecases/webhooks/delete-webhook.ts';
import { endpointId } from '../../core/ids.ts';
import { param, type Answer, type ScopedCall } from '../http/route.ts';

export async function deleteWebhook(call: ScopedCall): Promise<Answer> {
  await removeWebhook(call.context, call.scope, endpointId(param(call, 'id')));
  return { status: 204 };
}
