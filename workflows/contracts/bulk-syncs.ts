import type { AccountId, BulkSyncId } from '../../core/ids.ts';

/** Workflow type of one bulk sync. */
export const bulkSyncType = 'bulkSync';
export const bulkSyncWorkflowId = (id: BulkSyncId): string => `bulk:${id}`;

export interface BulkSyncInput {
  readonly bulkId: BulkSyncId;
  /** Owner of the bulk sync. */
  readonly accountId: AccountId;
}

/** Below single writes, which have 3, so that a bulk sync does not delay other callers. */
export const bulkPriorityKey = 4;
