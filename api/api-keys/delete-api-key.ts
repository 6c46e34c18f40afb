import { revokeApiKey } from '../../usecases/api-keys/revoke-api-key.ts';
import { param, type Answer, type ScopedCall } from '../http/route.ts';

export async function deleteApiKey(call: ScopedCall): Promise<Answer> {
  await revokeApiKey(call.context, call.scope, param(call, 'id'));
  return { status: 204 };
}
