import { endAllOtherSessions } from '../../usecases/accounts/end-sessions.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

export async function deleteSessions({ scope, context }: ScopedCall): Promise<Answer> {
  await endAllOtherSessions(context, scope);
  return { status: 204 };
}
