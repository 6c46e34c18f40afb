import type { AccountId, BulkSyncId } from '../../core/ids.ts';
import { findOpenUploads } from './bulk-chunks.ts';
import { bulkSyncs } from './bulk-syncs.ts';
import type { StoreConnection } from '../database/connection.ts';

/** A bulk sync whose chunk is about to be applied. */
export interface LaterBulk {
  readonly bulkId: BulkSyncId;
  readonly acceptedAt: Date;
  /** Whose items the chunk is for. */
  readonly accountId: AccountId;
}

/** Whether another bulk sync, whoever sent it, was accepted before this one and may still write items of the account. */
export async function hasOlderBulk(
  store: StoreConnection,
  { bulkId, acceptedAt, accountId }: LaterBulk,
): Promise<boolean> {
  const uploadIds = await findOpenUploads(store, accountId);
  // The chunk's own is open as well.
  if (uploadIds.length < 2) return false;
  // Unfinished ones alone are in the index of the sweep.
  const older = { nextLookAt: { $type: 'date' as const }, acceptedAt: { $lte: acceptedAt }, _id: { $ne: bulkId } };
  return (await bulkSyncs(store).exists({ ...older, uploadId: { $in: uploadIds } })) !== null;
}
