import { describeListEntry, type ItemListEntry } from '../../core/items/list-entry.ts';
import { secondLapFrom, type ListCursor } from '../../core/items/list-order.ts';
import type { Item } from '../../core/items/item.ts';
import type { Scope } from '../../core/scope.ts';
import { writeItemListCursor, type ItemListQuery } from '../../schemas/items/item-list.ts';
import { badQuery } from '../../schemas/query.ts';
import type { ItemListStore } from '../../store/item-list.ts';
import { imageKey } from '../images/image-key.ts';

export interface ListDependencies {
  readonly itemList: ItemListStore;
  /** Base of the hosted images' addresses. */
  readonly publicUrl: string;
  readonly now: () => Date;
}

export interface ItemListPage {
  readonly items: readonly ItemListEntry[];
  readonly nextCursor: string | null;
}

interface Reading {
  readonly items: readonly Item[];
  readonly next: ListCursor | null;
}

/**
 * One page of an account's items, newest update first. From the first page to the last, a reader meets every item that was
 * there at the start and matched the filter all along at least once; again only if it was updated meanwhile, or in the 10 s
 * before (core/items/list-order.ts). Throws Refusal BAD_REQUEST for the cursor of another account.
 */
export async function listItems(
  { itemList, publicUrl, now }: ListDependencies,
  scope: Scope,
  query: ItemListQuery,
): Promise<ItemListPage> {
  const { accountId: account } = scope;
  if (query.cursor !== null && query.cursor.account !== account)
    throw badQuery([{ field: 'cursor', message: 'must be a nextCursor of this account' }]);
  const walk = (lap: ListCursor['lap'], from: string | undefined, limit: number) =>
    itemList.walk(account, query.filter, { lap, from, limit });
  const { items, next } = await readPage(query, walk, now());
  const thumbnailUrl = (item: Item) => (contentHash: string) =>
    `${publicUrl}/images/${imageKey(item.accountId, contentHash, 'thumb')}`;
  return {
    items: items.map((item) => describeListEntry(item, thumbnailUrl(item))),
    nextCursor: next === null ? null : writeItemListCursor({ ...next, account }, query.filter),
  };
}

type Walk = (lap: ListCursor['lap'], from: string | undefined, limit: number) => ReturnType<ItemListStore['walk']>;

async function readPage({ cursor, limit }: ItemListQuery, walk: Walk, now: Date): Promise<Reading> {
  const lap = cursor?.lap ?? 'down';
  const startedAt = cursor?.startedAt ?? now;
  const { items, end } = await walk(lap, cursor?.from, limit);
  if (end !== null) return { items, next: { lap, from: end, startedAt } };
  // What fits in one page was read at one time: nothing can have moved meanwhile.
  if (lap === 'up' || cursor === null) return { items, next: null };
  const second: ListCursor = { lap: 'up', from: secondLapFrom(startedAt), startedAt };
  const room = limit - items.length;
  if (room === 0) return { items, next: second };
  const moved = await walk('up', second.from, room);
  const shown = new Set(moved.items.map(({ id }) => id));
  return {
    items: [...items.filter(({ id }) => !shown.has(id)), ...moved.items],
    next: moved.end === null ? null : { ...second, from: moved.end },
  };
}
