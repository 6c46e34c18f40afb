import { readNewApiKey } from '../../schemas/accounts/api-key.ts';
import { generateApiKey } from '../../usecases/api-keys/generate-api-key.ts';
import { listApiKeys } from '../../usecases/api-keys/list-api-keys.ts';
import { revokeApiKey } from '../../usecases/api-keys/revoke-api-key.ts';
import { param, type Answer, type ScopedCall } from '../http/route.ts';

export async function getApiKeys({ scope, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: { keys: await listApiKeys(context, scope) } };
}

/** 200 and not 201: specification "Management". */
export async function postApiKey({ scope, body, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await generateApiKey(context, scope, readNewApiKey(body)) };
}

export async function deleteApiKey(call: ScopedCall): Promise<Answer> {
  await revokeApiKey(call.context, call.scope, param(call, 'id'));
  return { status: 204 };
}
