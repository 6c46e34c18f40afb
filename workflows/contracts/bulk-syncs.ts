import type { AccountId, BulkSyncId } from '../../core/ids.ts';

/** Workflow type of one bulk sync. */
export const bulkSyncType = 'bulkSync';
export const bulkSyncWorkflowId = (id: BulkSyncId): string => `bulk:${id}`;

export interface BulkSyncInput {
  readonly bulkId: BulkSyncId;
  /** Whose bulk sync it is. */
  readonly accountId: AccountId;
}

/** Below single writes, which have 3: a bulk sync must not be felt by anybody else. */
export const bulkPriorityKey = 4;
