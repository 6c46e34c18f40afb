import { totalItems } from '../../core/analytics/analytics.ts';
import { describeUse, type StorageUse } from '../../core/quota/storage-quota.ts';
import type { Scope } from '../../core/scope.ts';
import { readImageUse } from '../../store/images/image-usage.ts';
import { readItemCounts } from '../../store/items/inventory-counts.ts';
import type { Context } from '../context.ts';

/** The usage of the account itself, from stored sums. */
export async function readUsage(
  { store, storageQuota }: Pick<Context, 'store' | 'storageQuota'>,
  { actingAccountId }: Scope,
): Promise<StorageUse> {
  const [counts, images] = await Promise.all([
    readItemCounts(store, actingAccountId),
    readImageUse(store, actingAccountId),
  ]);
  return describeUse(totalItems(counts), images, storageQuota);
}
