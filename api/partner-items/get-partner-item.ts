import { readPartnerItem } from '../../usecases/items/read-partner-item.ts';
import { readExternalId } from '../../schemas/items/external-id.ts';
import { readQuery } from '../../schemas/query.ts';
import { answerItem } from '../items/get-item.ts';
import { param, type Answer, type ScopedCall } from '../http/route.ts';

/** All of an item, and for an operator where its work is. */
export async function getPartnerItem(call: ScopedCall): Promise<Answer> {
  const externalId = readExternalId(param(call, 'external_id'));
  readQuery(call.query, {});
  const { item, revision } = await readPartnerItem(call.context, call.scope, externalId);
  return answerItem(item, revision);
}
