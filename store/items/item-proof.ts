import type { mongo } from 'mongoose';
import type { Item } from '../../core/items/item.ts';
import type { StoreConnection } from '../database/connection.ts';
import { batchReads } from '../batching/batch.ts';
import type { ItemRow } from './item-row.ts';
import { inTransaction } from '../database/transaction.ts';

export interface ItemProof {
  /**
   * Whether the item is as it was read, at some moment after the call: has to be known before "unchanged" is answered. A primary
   * that is cut off does not notice for seconds, and a majority read of it is as old.
   */
  isStill(item: Pick<Item, 'id' | 'version'>): Promise<boolean>;
}

/**
 * Reads the versions in a transaction, one for all who ask at once. To commit one that wrote nothing, MongoDB writes an entry of its
 * own and waits until a majority has it, which only the primary of now gets. A linearizable read does the same without asking for
 * the journal, and takes 100 ms.
 */
export function itemProof(store: StoreConnection, items: mongo.Collection<ItemRow>): ItemProof {
  const versions = batchReads<'', number>(async (_group, ids) => {
    const rows = await inTransaction(store, (session) =>
      items.find({ _id: { $in: [...ids] } }, { projection: { version: 1 }, session }).toArray(),
    );
    return new Map(rows.map(({ _id, version }) => [_id, version]));
  });
  return { isStill: async ({ id, version }) => (await versions('', id)) === version };
}
