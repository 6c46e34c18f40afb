import type { AccountId, BulkSyncId } from '../../core/ids.ts';
import { findOpenUploads } from './bulk-chunks.ts';
import { bulkSyncs } from './bulk-syncs.ts';
import type { StoreConnection } from '../database/connection.ts';

/** A bulk sync whose chunk is about to be applied. */
export interface LaterBulk {
  readonly bulkId: BulkSyncId;
  readonly acceptedAt: Date;
  /** The account whose items the chunk changes. */
  readonly accountId: AccountId;
}

/** Whether another bulk sync of any sender was accepted before this one and may still write items of the account. */
export async function hasOlderBulk(
  store: StoreConnection,
  { bulkId, acceptedAt, accountId }: LaterBulk,
): Promise<boolean> {
  const uploadIds = await findOpenUploads(store, accountId);
  // The chunk's own upload is one of them.
  if (uploadIds.length < 2) return false;
  // This index holds only unfinished bulk syncs.
  const older = { nextLookAt: { $type: 'date' as const }, acceptedAt: { $lte: acceptedAt }, _id: { $ne: bulkId } };
  return (await bulkSyncs(store).exists({ ...older, uploadId: { $in: uploadIds } })) !== null;
}
