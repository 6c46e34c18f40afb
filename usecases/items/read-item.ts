import { describeItem, describeStatus, type ItemDescription, type ItemStatus } from '../../core/items/describe-item.ts';
import type { Item } from '../../core/items/item.ts';
import type { Scope } from '../../core/scope.ts';
import type { ItemStore } from '../../store/items/items.ts';
import type { Context } from '../context.ts';
import { imageAddress } from '../images/image-key.ts';
import { itemTag, wholeItemTag } from './precondition.ts';
import { requireItem } from './require-item.ts';

export interface ItemStatusRead {
  readonly status: ItemStatus;
  /** The ETag without its quotes. */
  readonly tag: string;
}

export interface ItemRead {
  readonly item: ItemDescription;
  /** The ETag without its quotes. */
  readonly tag: string;
}

/** Status from the database alone. Throws Refusal NOT_FOUND for an id the account has no item under. */
export async function readItemStatus(
  { items }: Pick<Context, 'items'>,
  scope: Scope,
  externalId: string,
): Promise<ItemStatusRead> {
  const item = await requireVisible(items, scope, externalId);
  return { status: describeStatus(item), tag: itemTag(item) };
}

/** Everything about the item. Throws as {@link readItemStatus}. */
export async function readItem(
  { items, imagesUrl }: Pick<Context, 'items' | 'imagesUrl'>,
  scope: Scope,
  externalId: string,
): Promise<ItemRead> {
  const item = await requireVisible(items, scope, externalId);
  return { item: describeFully(item, imagesUrl), tag: wholeItemTag(item) };
}

export const describeFully = (item: Item, imagesUrl: string): ItemDescription =>
  describeItem(item, (hash, size) => imageAddress(imagesUrl, item.accountId, hash, size));

/** The current item, else the newest archived one. Throws Refusal NOT_FOUND. */
export const requireVisible = async (items: ItemStore, scope: Scope, externalId: string): Promise<Item> =>
  requireItem(await items.findVisible(scope.accountId, externalId), externalId);
