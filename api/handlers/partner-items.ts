import { readExternalId } from '../../schemas/items/external-id.ts';
import { readQuery } from '../../schemas/query.ts';
import { readPartnerItem } from '../../usecases/items/read-item.ts';
import { retryItem } from '../../usecases/items/publish-item.ts';
import { param, type Answer, type ScopedCall } from '../http/route.ts';
import { answerItem, answerWrite, readTarget } from './item-answers.ts';

/** Returns the whole item, for an operator with its workflow. */
export async function getPartnerItem(call: ScopedCall): Promise<Answer> {
  const externalId = readExternalId(param(call, 'external_id'));
  readQuery(call.query, {});
  const { item, tag } = await readPartnerItem(call.context, call.scope, externalId);
  return answerItem(item, tag);
}

/** 202: what failed, was given up or waits is retried at once in the background. */
export async function postRetry(call: ScopedCall): Promise<Answer> {
  const target = readTarget(call);
  const result = await retryItem(call.context, call.scope, target);
  const requested = { done: 'Retry requested', would: 'A retry would be requested' };
  return answerWrite(target, result, { created: requested, updated: requested, unchanged: requested });
}
