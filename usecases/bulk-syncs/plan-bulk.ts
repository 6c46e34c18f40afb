import { isUnfinished } from '../../core/bulk-syncs/bulk-sync.ts';
import type { AccountId, BulkSyncId } from '../../core/ids.ts';
import { deleteChunks, findOpenAccounts } from '../../store/bulk-syncs/bulk-chunks.ts';
import { closeBulkSync, findBulkSync } from '../../store/bulk-syncs/bulk-syncs.ts';
import type { StoreConnection } from '../../store/database/connection.ts';

/** A limit for the workflow's history; further accounts are planned in a later round. */
const accountsMax = 1_000;

/**
 * Returns the accounts with chunks to apply, empty when none is left. During a cancellation only chunks that have begun count.
 */
export async function planBulk({ store }: { store: StoreConnection }, id: BulkSyncId): Promise<readonly AccountId[]> {
  const bulk = await findBulkSync(store, id);
  if (bulk === null || !isUnfinished(bulk)) return [];
  const accounts = await findOpenAccounts(store, bulk.uploadId, bulk.state === 'cancelling' ? { isBegun: true } : {});
  return accounts.slice(0, accountsMax);
}

/** Marks a bulk sync as ended. Called when {@link planBulk} returns no account and no chunk is under way. */
export async function endBulk(
  { store, now }: { store: StoreConnection; now: () => Date },
  id: BulkSyncId,
): Promise<void> {
  const bulk = await findBulkSync(store, id);
  if (bulk === null) return;
  await closeBulkSync(store, bulk, now());
  await deleteChunks(store, bulk.uploadId);
}
