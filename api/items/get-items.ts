import { readItemListQuery } from '../../schemas/items/item-list.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

/** A page of the account's items, newest first. */
export async function getItems({ dependencies, scope, query }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await dependencies.items.list(scope, readItemListQuery(query)) };
}
