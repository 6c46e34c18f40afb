import { readNewApiKey } from '../../schemas/accounts/api-key.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

/** 200 and not 201: specification "Management". */
export async function postApiKey({ scope, body, dependencies }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await dependencies.apiKeys.generate(scope, readNewApiKey(body)) };
}
