import { listMembers } from '../../usecases/resellers/list-members.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

export async function getConnections({ scope, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: { connections: await listMembers(context, scope) } };
}
