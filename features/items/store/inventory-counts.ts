import { noItems, type ItemCounts } from '../../partner/rules/analytics.ts';
import type { InventoryClass } from '../../partner/rules/inventory-class.ts';
import type { AccountId } from '../../rules/ids.ts';
import { createSharedReads } from '../../../platform/concurrency/shared-reads.ts';
import { perStore } from '../../../platform/database/batch.ts';
import type { StoreConnection } from '../../../platform/database/connection.ts';
import { classIndex, itemCollection } from './item-collection.ts';

const shared = perStore(() => createSharedReads<ItemCounts>());

/**
 * The items of these accounts together by class, exact at one moment, and including every write acknowledged before the call. It
 * reads one index key for each item and no item.
 */
export const readItemCounts = (store: StoreConnection, accounts: readonly AccountId[]): Promise<ItemCounts> =>
  shared(store)(accounts.join(), () => countItems(store, accounts));

async function countItems(store: StoreConnection, accounts: readonly AccountId[]): Promise<ItemCounts> {
  const found = await itemCollection(store)
    .aggregate<{ readonly _id: InventoryClass; readonly count: number }>(
      [{ $match: { accountId: { $in: [...accounts] } } }, { $group: { _id: '$inventoryClass', count: { $sum: 1 } } }],
      { readConcern: { level: 'snapshot' }, hint: classIndex },
    )
    .toArray();
  const counted = found.filter(({ _id }) => _id !== 'none');
  return { ...noItems, ...Object.fromEntries(counted.map(({ _id, count }) => [_id, count])) };
}
