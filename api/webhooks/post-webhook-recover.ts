import { previewRecovery } from '../../usecases/recoveries/recover-target.ts';
import { recoverTarget } from '../../usecases/recoveries/recover-target.ts';
import { readDryRun, readRecoverySince } from '../../schemas/webhooks/webhook-recovery.ts';
import type { Answer, ScopedCall } from '../http/route.ts';
import { targetOf } from './target-of.ts';

export async function postWebhookRecover(call: ScopedCall): Promise<Answer> {
  const isDryRun = readDryRun(call.query);
  const wish = { endpointId: targetOf(call), since: readRecoverySince(call.body, new Date()) };
  if (isDryRun) return { status: 200, body: await previewRecovery(call.context, call.scope, wish) };
  return { status: 202, body: await recoverTarget(call.context, call.scope, wish) };
}
