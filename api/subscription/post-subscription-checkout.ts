import { startCheckout } from '../../usecases/subscription/start-checkout.ts';
import { readQuery } from '../../schemas/query.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

export async function postSubscriptionCheckout({ scope, query, context }: ScopedCall): Promise<Answer> {
  readQuery(query, {});
  return { status: 200, body: await startCheckout(context, scope) };
}
