import { upsertItem } from '../../usecases/items/upsert-item.ts';
import { withIdWarnings } from '../../schemas/items/external-id.ts';
import { readItemRequest } from '../../schemas/items/read-item-request.ts';
import { readIfMatch, readIfNoneMatch } from '../http/if-match.ts';
import type { Answer, ScopedCall } from '../http/route.ts';
import { answerWrite, readTarget } from './answer-write.ts';
import { upsertMessages } from './upsert-messages.ts';

/** 202: the item is stored, its work goes on in the background. */
export async function putItem(call: ScopedCall): Promise<Answer> {
  const target = readTarget(call, { ...readIfMatch(call), ...readIfNoneMatch(call) });
  const request = withIdWarnings(readItemRequest(call.body), target.externalId, 'external_id');
  const result = await upsertItem(call.context, call.scope, { ...target, request });
  return answerWrite(target, result, upsertMessages);
}
