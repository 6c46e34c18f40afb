import { readQuery } from '../../schemas/query.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

export async function getMyDeal({ scope, query, dependencies }: ScopedCall): Promise<Answer> {
  readQuery(query, {});
  return { status: 200, body: await dependencies.resellers.readMyDeal(scope) };
}
