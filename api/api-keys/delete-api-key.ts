import { param, type Answer, type ScopedCall } from '../http/route.ts';

export async function deleteApiKey(call: ScopedCall): Promise<Answer> {
  await call.dependencies.apiKeys.revoke(call.scope, param(call, 'id'));
  return { status: 204 };
}
