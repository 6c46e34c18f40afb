import { endpointId } from '../../core/ids.ts';
import { param, type Answer, type ScopedCall } from '../http/route.ts';

export async function deleteWebhook(call: ScopedCall): Promise<Answer> {
  await call.dependencies.webhooks.remove(call.scope, endpointId(param(call, 'id')));
  return { status: 204 };
}
