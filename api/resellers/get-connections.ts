import type { Answer, ScopedCall } from '../http/route.ts';

export async function getConnections({ scope, dependencies }: ScopedCall): Promise<Answer> {
  return { status: 200, body: { connections: await dependencies.resellers.listMembers(scope) } };
}
