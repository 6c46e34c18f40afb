import { listSessions } from '../../usecases/accounts/list-sessions.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

export async function getSessions({ scope, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: { sessions: await listSessions(context, scope) } };
}
