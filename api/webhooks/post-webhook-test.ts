import { sendTestEvent } from '../../usecases/webhooks/send-test-event.ts';
import { readTestWish } from '../../schemas/webhooks/webhook-recovery.ts';
import type { Answer, ScopedCall } from '../http/route.ts';
import { targetOf } from './target-of.ts';

export async function postWebhookTest(call: ScopedCall): Promise<Answer> {
  const { eventType } = readTestWish(call.body);
  const made = await sendTestEvent(call.context, call.scope, { endpointId: targetOf(call), eventType });
  return { status: 202, body: made };
}
