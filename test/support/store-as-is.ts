import type { Item } from '../../core/items/item.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { itemCollection } from '../../store/items/item-collection.ts';
import { rowFromItem } from '../../store/items/item-row.ts';

/** Stores the row of an item without an accepted write, so without the steps and the date that follow from one. */
export const storeAsIs = (store: StoreConnection, ...items: readonly Item[]): Promise<unknown> =>
  itemCollection(store).insertMany(items.map(rowFromItem));
