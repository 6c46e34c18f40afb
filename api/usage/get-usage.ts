import { readQuery } from '../../schemas/query.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

export async function getUsage({ scope, query, dependencies }: ScopedCall): Promise<Answer> {
  readQuery(query, {});
  return { status: 200, body: await dependencies.usage.read(scope) };
}
