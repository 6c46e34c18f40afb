import { listApiKeys } from '../../usecases/api-keys/list-api-keys.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

export async function getApiKeys({ scope, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: { keys: await listApiKeys(context, scope) } };
}
