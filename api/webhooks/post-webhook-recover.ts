import { readDryRun, readRecoverySince } from '../../schemas/webhooks/webhook-recovery.ts';
import type { Answer, ScopedCall } from '../http/route.ts';
import { targetOf } from './target-of.ts';

export async function postWebhookRecover(call: ScopedCall): Promise<Answer> {
  const { webhooks } = call.dependencies;
  const isDryRun = readDryRun(call.query);
  const wish = { endpointId: targetOf(call), since: readRecoverySince(call.body, new Date()) };
  if (isDryRun) return { status: 200, body: await webhooks.previewRecovery(call.scope, wish) };
  return { status: 202, body: await webhooks.recover(call.scope, wish) };
}
