import { readSubscription } from '../../usecases/subscription/read-subscription.ts';
import { readQuery } from '../../schemas/query.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

export async function getSubscription({ scope, query, context }: ScopedCall): Promise<Answer> {
  readQuery(query, {});
  return { status: 200, body: await readSubscription(context, scope) };
}
