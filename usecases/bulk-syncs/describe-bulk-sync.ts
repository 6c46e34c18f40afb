import type { BulkCounts, BulkMode, BulkState, BulkSync, SenderStop } from '../../core/bulk-syncs/bulk-sync.ts';

export interface BulkSyncView extends BulkCounts {
  readonly id: string;
  readonly state: BulkState;
  readonly stoppedBy: SenderStop | null;
  readonly mode: BulkMode;
  readonly total: number;
  readonly repeated: number;
  readonly createdAt: string;
  readonly completedAt: string | null;
}

export const describeBulkSync = (bulk: BulkSync): BulkSyncView => ({
  id: bulk.id,
  state: bulk.state,
  stoppedBy: bulk.stoppedBy,
  mode: bulk.mode,
  total: bulk.total,
  repeated: bulk.repeated,
  created: bulk.created,
  updated: bulk.updated,
  unchanged: bulk.unchanged,
  failed: bulk.failed,
  warned: bulk.warned,
  removed: bulk.removed,
  createdAt: bulk.acceptedAt.toISOString(),
  completedAt: bulk.completedAt?.toISOString() ?? null,
});
