import { readExternalId } from '../../schemas/items/external-id.ts';
import { readItemRequest } from '../../schemas/items/read-item-request.ts';
import type { ItemUpsert } from '../dependencies.ts';
import { param, type Answer, type ScopedCall } from '../http/route.ts';

/** 202: the item is stored, its work goes on in the background. */
export async function putItem(call: ScopedCall): Promise<Answer> {
  const externalId = readExternalId(param(call, 'external_id'));
  const request = readItemRequest(call.body);
  const { itemId, outcome, warnings } = await call.dependencies.items.upsert(call.scope, { externalId, request });
  const body = { success: true, itemId, message: messages[outcome], ...(warnings.length > 0 && { warnings }) };
  return { status: 202, body };
}

const messages: Readonly<Record<ItemUpsert['outcome'], string>> = {
  created: 'Item created',
  updated: 'Item updated',
  unchanged: 'Item updated (unchanged)',
};
