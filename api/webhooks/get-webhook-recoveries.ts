import type { Answer, ScopedCall } from '../http/route.ts';
import { targetOf } from './target-of.ts';

export async function getWebhookRecoveries(call: ScopedCall): Promise<Answer> {
  const recoveries = await call.dependencies.webhooks.listRecoveries(call.scope, targetOf(call));
  return { status: 200, body: { recoveries } };
}
