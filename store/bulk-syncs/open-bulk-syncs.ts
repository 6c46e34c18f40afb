import type { AccountId, BulkSyncId } from '../../core/ids.ts';
import { findOpenUploads } from './bulk-chunks.ts';
import { bulkSyncs } from './bulk-syncs.ts';
import { rowsOf, type StoreConnection } from '../database/connection.ts';

const onlyId = { projection: { _id: 1 } } as const;

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
  const older = { 'due.by': 'workflow', acceptedAt: { $lte: acceptedAt }, _id: { $ne: bulkId } };
  const found = await rowsOf(bulkSyncs(store)).findOne({ ...older, uploadId: { $in: uploadIds } }, onlyId);
  return found !== null;
}
