import { endpointId } from '../../core/ids.ts';
import { param, type Answer, type ScopedCall } from '../http/route.ts';

export async function postWebhookRotateSecret(call: ScopedCall): Promise<Answer> {
  const webhook = await call.dependencies.webhooks.rotateSecret(call.scope, endpointId(param(call, 'id')));
  return { status: 200, body: webhook };
}
