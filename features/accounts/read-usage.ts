import { totalItems } from '../partner/rules/analytics.ts';
import { describeUse } from './rules/storage-quota.ts';
import type { Scope } from '../rules/scope.ts';
import { readImageUse } from '../images/store/image-usage.ts';
import { readItemCounts } from '../items/store/inventory-counts.ts';
import type { Context } from '../context.ts';

export async function readUsage(
  { store, storageQuota }: Pick<Context, 'store' | 'storageQuota'>,
  { actingAccountId }: Scope,
) {
  const [counts, images] = await Promise.all([
    readItemCounts(store, [actingAccountId]),
    readImageUse(store, actingAccountId),
  ]);
  return describeUse(totalItems(counts), images, storageQuota);
}
