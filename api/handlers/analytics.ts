import { readQuery } from '../../schemas/query.ts';
import { readAnalytics } from '../../usecases/analytics/analytics.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

export async function getAnalytics({ scope, query, context }: ScopedCall): Promise<Answer> {
  readQuery(query, {});
  return { status: 200, body: await readAnalytics(context, scope) };
}
