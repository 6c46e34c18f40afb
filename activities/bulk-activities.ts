import { Context } from '@temporalio/activity';
import type { AccountId, BulkSyncId } from '../core/ids.ts';
import { applyChunks, endBulk, planBulk, type ChunkStep, type ChunkWish } from '../usecases/bulk-syncs/apply-chunk.ts';
import type { ChunkDependencies } from '../usecases/bulk-syncs/write-chunk.ts';
import { withHeartbeat } from './with-heartbeat.ts';

export interface BulkActivities {
  /** Returns the accounts with chunks to apply; empty when none is left. */
  planBulk(bulkId: BulkSyncId): Promise<readonly AccountId[]>;
  /** The next chunks of one account, for about two seconds. */
  applyChunk(wish: Omit<ChunkWish, 'attempt'>): Promise<ChunkStep>;
  endBulk(bulkId: BulkSyncId): Promise<void>;
}

export const createBulkActivities = (dependencies: ChunkDependencies): BulkActivities => ({
  planBulk: (bulkId) => planBulk(dependencies, bulkId),
  applyChunk: (wish) =>
    withHeartbeat(() => applyChunks(dependencies, { ...wish, attempt: Context.current().info.attempt })),
  endBulk: (bulkId) => endBulk(dependencies, bulkId),
});
