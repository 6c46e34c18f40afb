import { generateApiKey } from '../../usecases/api-keys/generate-api-key.ts';
import { readNewApiKey } from '../../schemas/accounts/api-key.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

/** 200 and not 201: specification "Management". */
export async function postApiKey({ scope, body, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await generateApiKey(context, scope, readNewApiKey(body)) };
}
