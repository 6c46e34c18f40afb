import { Refusal } from '../../core/errors.ts';
import { describeItem, type ItemDescription } from '../../core/items/describe-item.ts';
import { describeStatus, type ItemStatus } from '../../core/items/item-status.ts';
import type { Item } from '../../core/items/item.ts';
import type { Scope } from '../../core/scope.ts';
import type { ItemStore } from '../../store/items.ts';
import { imageKey } from './process-images.ts';

export interface ItemStatusRead {
  readonly status: ItemStatus;
  readonly revision: number;
}

export interface ItemRead {
  readonly item: ItemDescription;
  readonly revision: number;
}

/** Status from the database alone. Throws {@link Refusal} NOT_FOUND for an id the account has no item under. */
export async function readItemStatus(items: ItemStore, scope: Scope, externalId: string): Promise<ItemStatusRead> {
  const item = await findItem(items, scope, externalId);
  return { status: describeStatus(item), revision: item.revision };
}

/** Everything about the item; `publicUrl` is the base of the hosted images' addresses. Throws as {@link readItemStatus}. */
export async function readItem(
  { items, publicUrl }: { items: ItemStore; publicUrl: string },
  scope: Scope,
  externalId: string,
): Promise<ItemRead> {
  const item = await findItem(items, scope, externalId);
  const described = describeItem(item, (hash, size) => `${publicUrl}/images/${imageKey(item.accountId, hash, size)}`);
  return { item: described, revision: item.revision };
}

async function findItem(items: ItemStore, scope: Scope, externalId: string): Promise<Item> {
  const item = await items.findCurrent(scope.accountId, externalId);
  if (item === null) throw new Refusal('NOT_FOUND', `No item with external_id ${JSON.stringify(externalId)}`);
  return item;
}
