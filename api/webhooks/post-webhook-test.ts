import { readTestWish } from '../../schemas/webhooks/webhook-recovery.ts';
import type { Answer, ScopedCall } from '../http/route.ts';
import { targetOf } from './target-of.ts';

export async function postWebhookTest(call: ScopedCall): Promise<Answer> {
  const { eventType } = readTestWish(call.body);
  const made = await call.dependencies.webhooks.sendTest(call.scope, { endpointId: targetOf(call), eventType });
  return { status: 202, body: made };
}
