import { publishItem } from '../../usecases/items/publish-item.ts';
import type { Answer, ScopedCall } from '../http/route.ts';
import { answerWrite, readTarget } from './answer-write.ts';

/** 202: publication is asked for; it is made in the background. */
export async function postPublish(call: ScopedCall): Promise<Answer> {
  const target = readTarget(call);
  const result = await publishItem(call.context, call.scope, target);
  const requested = { done: 'Publication requested', would: 'Publication would be requested' };
  return answerWrite(target, result, {
    created: requested,
    updated: requested,
    unchanged: { done: 'Publication requested (unchanged)', would: 'Publication would be requested (unchanged)' },
  });
}
