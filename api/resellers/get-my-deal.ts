import { readMyDeal } from '../../usecases/resellers/read-my-deal.ts';
import { readQuery } from '../../schemas/query.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

export async function getMyDeal({ scope, query, context }: ScopedCall): Promise<Answer> {
  readQuery(query, {});
  return { status: 200, body: await readMyDeal(context, scope) };
}
