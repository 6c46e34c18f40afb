import { noItems, totalItems, type ItemCounts } from '../../partner/rules/analytics.ts';
import type { CountedClass } from '../../partner/rules/inventory-class.ts';
import type { AccountId } from '../../rules/ids.ts';
import { createSharedReads, keptMsOfSums } from '../../../platform/concurrency/shared-reads.ts';
import { perStore } from '../../../platform/database/batch.ts';
import type { StoreConnection } from '../../../platform/database/connection.ts';
import { classIndex, itemCollection } from './item-collection.ts';

const shared = perStore(() => createSharedReads<ItemCounts>((counts) => keptMsOfSums(totalItems(counts))));
const sharedNow = perStore(() => createSharedReads<ItemCounts>());

/**
 * The items of these accounts together by class, exact at one moment: that of the call, for more than 20,000 items one up to a
 * minute earlier. It reads one index key for each item and no item.
 */
export const readItemCounts = (store: StoreConnection, accounts: readonly AccountId[]): Promise<ItemCounts> =>
  shared(store)(accounts.join(), () => countItems(store, accounts));

/** The same for one account, with every write acknowledged before the call: the quota is checked against it. */
export const readItemCountsNow = (store: StoreConnection, account: AccountId): Promise<ItemCounts> =>
  sharedNow(store)(account, () => countItems(store, [account]));

async function countItems(store: StoreConnection, accounts: readonly AccountId[]): Promise<ItemCounts> {
  const found = await itemCollection(store)
    .aggregate<{ readonly _id: CountedClass; readonly count: number }>(
      [
        { $match: { accountId: { $in: [...accounts] }, isListed: true } },
        { $group: { _id: '$inventoryClass', count: { $sum: 1 } } },
      ],
      { readConcern: { level: 'snapshot' }, hint: classIndex },
    )
    .toArray();
  return { ...noItems, ...Object.fromEntries(found.map(({ _id, count }) => [_id, count])) };
}
