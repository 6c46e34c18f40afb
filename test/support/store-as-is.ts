import type { Item } from '../../features/items/rules/item.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { itemCollection } from '../../features/items/store/item-collection.ts';
import { rowFromItem } from '../../features/items/store/item-row.ts';

/** Stores the row of an item without an accepted write, so without the steps and the date that follow from one. */
export const storeAsIs = (store: StoreConnection, ...items: readonly Item[]): Promise<unknown> =>
  itemCollection(store).insertMany(items.map(rowFromItem));
