import { readQuery } from '../../schemas/query.ts';
import { readUsage } from '../../usecases/quota/read-usage.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

export async function getUsage({ scope, query, context }: ScopedCall): Promise<Answer> {
  readQuery(query, {});
  return { status: 200, body: await readUsage(context, scope) };
}
