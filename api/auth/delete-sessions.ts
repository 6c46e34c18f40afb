import type { Answer, ScopedCall } from '../http/route.ts';

export async function deleteSessions({ scope, dependencies }: ScopedCall): Promise<Answer> {
  await dependencies.accounts.endAllOtherSessions(scope);
  return { status: 204 };
}
