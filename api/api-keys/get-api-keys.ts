import type { Answer, ScopedCall } from '../http/route.ts';

export async function getApiKeys({ scope, dependencies }: ScopedCall): Promise<Answer> {
  return { status: 200, body: { keys: await dependencies.apiKeys.list(scope) } };
}
