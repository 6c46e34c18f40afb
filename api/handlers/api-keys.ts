import { readNewApiKey } from '../../schemas/accounts/api-key.ts';
import { generateApiKey, listApiKeys, revokeApiKey } from '../../usecases/api-keys/manage-api-keys.ts';
import { keyModesOf } from '../../usecases/sandbox/sandbox.ts';
import { param, type Answer, type ScopedCall } from '../http/route.ts';

export async function getApiKeys({ scope, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: { keys: await listApiKeys(context, scope), modes: keyModesOf(context.sandbox) } };
}

/** 200 and not 201: specification "Management". */
export async function postApiKey({ scope, body, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await generateApiKey(context, scope, readNewApiKey(body)) };
}

export async function deleteApiKey(call: ScopedCall): Promise<Answer> {
  await revokeApiKey(call.context, call.scope, param(call, 'id'));
  return { status: 204 };
}
