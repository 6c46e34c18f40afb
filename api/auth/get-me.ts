import type { Answer, ScopedCall } from '../http/route.ts';

export async function getMe({ scope, dependencies }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await dependencies.accounts.readOwn(scope) };
}
