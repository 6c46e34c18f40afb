import { rotateWebhookSecret } from '../../usecases/webhooks/rotate-webhook-secret.ts';
import { endpointId } from '../../core/ids.ts';
import { param, type Answer, type ScopedCall } from '../http/route.ts';

export async function postWebhookRotateSecret(call: ScopedCall): Promise<Answer> {
  const webhook = await rotateWebhookSecret(call.context, call.scope, endpointId(param(call, 'id')));
  return { status: 200, body: webhook };
}
