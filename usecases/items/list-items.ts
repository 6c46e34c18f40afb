import { describeListEntry, type ItemListEntry } from '../../core/items/list-entry.ts';
import type { Item } from '../../core/items/item.ts';
import type { Scope } from '../../core/scope.ts';
import { writeItemListCursor, type ItemListQuery } from '../../schemas/items/item-list.ts';
import { badQuery } from '../../schemas/query.ts';
import type { Context } from '../context.ts';
import { imageKey } from '../images/image-key.ts';

export interface ItemListPage {
  readonly items: readonly ItemListEntry[];
  readonly nextCursor: string | null;
  /** null but on the last page of a list with `updatedSince`. */
  readonly nextUpdatedSince: string | null;
}

/**
 * One page of an account's items, newest first. An item that is there from the first page to the last, and matches the filter all
 * along, comes exactly once, because nothing changes its creation. With `updatedSince` the order is that of the changes, oldest
 * first: an item comes again when it changes, and who asks with `nextUpdatedSince` next time misses no change.
 * Throws Refusal BAD_REQUEST for the cursor of another account.
 */
export async function listItems(
  { itemList, publicUrl }: Pick<Context, 'itemList' | 'publicUrl'>,
  scope: Scope,
  { cursor, filter, limit }: ItemListQuery,
): Promise<ItemListPage> {
  const { accountId: account } = scope;
  if (cursor !== null && cursor.account !== account)
    throw badQuery([{ field: 'cursor', message: 'must be a nextCursor of this account' }]);
  const { updatedSince } = filter;
  // Before anything is read: a reader who rests between two pages passes nothing that came meanwhile.
  const settledUntil = cursor?.settledUntil ?? (updatedSince && (await itemList.settledUntil(account)));
  const { items, end } = await itemList.walk(account, filter, { after: cursor?.place, limit });
  const thumbnailUrl = (item: Item) => (contentHash: string) =>
    `${publicUrl}/images/${imageKey(item.accountId, contentHash, 'thumb')}`;
  return {
    items: items.map((item) => describeListEntry(item, thumbnailUrl(item))),
    nextCursor: end === null ? null : writeItemListCursor({ account, place: end, settledUntil }, filter),
    nextUpdatedSince: end === null ? (settledUntil?.toISOString() ?? null) : null,
  };
}
