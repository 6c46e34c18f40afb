import { listTargetRecoveries } from '../../usecases/recoveries/list-target-recoveries.ts';
import type { Answer, ScopedCall } from '../http/route.ts';
import { targetOf } from './target-of.ts';

export async function getWebhookRecoveries(call: ScopedCall): Promise<Answer> {
  const recoveries = await listTargetRecoveries(call.context, call.scope, targetOf(call));
  return { status: 200, body: { recoveries } };
}
