import type { Answer, ScopedCall } from '../http/route.ts';

export async function getSessions({ scope, dependencies }: ScopedCall): Promise<Answer> {
  return { status: 200, body: { sessions: await dependencies.accounts.listSessions(scope) } };
}
