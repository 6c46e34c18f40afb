import { retryItem } from '../../usecases/items/retry-item.ts';
import type { Answer, ScopedCall } from '../http/route.ts';
import { answerWrite, readTarget } from '../items/answer-write.ts';

/** 202: what failed, was given up or waits is tried again now, in the background. */
export async function postRetry(call: ScopedCall): Promise<Answer> {
  const target = readTarget(call);
  const result = await retryItem(call.context, call.scope, target);
  const requested = { done: 'Retry requested', would: 'A retry would be requested' };
  return answerWrite(target, result, { created: requested, updated: requested, unchanged: requested });
}
