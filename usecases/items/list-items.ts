import { describeListEntry, type ItemListEntry } from '../../core/items/describe-item.ts';
import type { Item } from '../../core/items/item.ts';
import type { Scope } from '../../core/scope.ts';
import { writeItemListCursor, type ItemListQuery } from '../../schemas/items/item-list.ts';
import { badQuery } from '../../schemas/query.ts';
import type { Context } from '../context.ts';
import { imageAddress } from '../images/image-key.ts';

export interface ItemListPage {
  readonly items: readonly ItemListEntry[];
  readonly nextCursor: string | null;
  /** Set only on the last page of a list with `updatedSince`. */
  readonly nextUpdatedSince: string | null;
}

/**
 * Returns one page of an account's items, newest first. An item that exists and matches the filter throughout comes exactly once,
 * because its time of creation never changes. With `updatedSince` the order is that of the changes, oldest first. Then a changed
 * item comes again, and a reader that continues with `nextUpdatedSince` misses no change.
 * Throws Refusal BAD_REQUEST for the cursor of another account.
 */
export async function listItems(
  { itemList, imagesUrl }: Pick<Context, 'itemList' | 'imagesUrl'>,
  scope: Scope,
  { cursor, filter, limit }: ItemListQuery,
): Promise<ItemListPage> {
  const { accountId: account } = scope;
  if (cursor !== null && cursor.account !== account)
    throw badQuery([{ field: 'cursor', message: 'must be a nextCursor of this account' }]);
  const { updatedSince } = filter;
  // Read before the items: a reader that pauses between two pages must not miss writes from the meantime.
  const settledUntil = cursor?.settledUntil ?? (updatedSince && (await itemList.settledUntil(account)));
  const { items, end } = await itemList.walk(account, filter, { after: cursor?.place, limit });
  const thumbnailUrl = (item: Item) => (contentHash: string) =>
    imageAddress(imagesUrl, item.accountId, contentHash, 'thumb');
  return {
    items: items.map((item) => describeListEntry(item, thumbnailUrl(item))),
    nextCursor: end === null ? null : writeItemListCursor({ account, place: end, settledUntil }, filter),
    nextUpdatedSince: end === null ? (settledUntil?.toISOString() ?? null) : null,
  };
}
