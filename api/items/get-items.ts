import { listItems } from '../../usecases/items/list-items.ts';
import { readItemListQuery } from '../../schemas/items/item-list.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

/** A page of the account's items, newest first. */
export async function getItems({ context, scope, query }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await listItems(context, scope, readItemListQuery(query)) };
}
