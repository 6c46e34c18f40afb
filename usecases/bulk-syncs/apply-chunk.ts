import { isUnfinished, type BulkSync } from '../../core/bulk-syncs/bulk-sync.ts';
import type { AccountId, BulkSyncId } from '../../core/ids.ts';
import {
  beginChunk,
  closeChunk,
  deleteChunks,
  findNextChunk,
  findOpenAccounts,
  insertErrors,
  type BulkChunk,
} from '../../store/bulk-syncs/bulk-chunks.ts';
import { closeBulkSync, findBulkSync, raiseCounts } from '../../store/bulk-syncs/bulk-syncs.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { inTransaction } from '../../store/database/transaction.ts';
import { writeChunk, type ChunkDependencies, type ChunkOutcome } from './write-chunk.ts';

export interface ChunkWish {
  readonly bulkId: BulkSyncId;
  readonly accountId: AccountId;
  /** Number of this attempt, from 1. */
  readonly attempt?: number;
}

/** After this many failed attempts the chunk itself may be the cause, so its lines are applied one by one. */
const wholeTries = 3;

/** Tells the workflow what to do next. `stopped`: the bulk sync is being cancelled, or has ended. */
export interface ChunkStep {
  readonly kind: 'applied' | 'nothing-left' | 'stopped';
  readonly progress: string;
}

/** Long enough that the engine's own work between two calls weighs little, short enough that accounts take turns. */
const turnMs = 2_000;

/** Applies chunks of one account for about two seconds, as {@link applyChunk} does. Returns the last step. */
export async function applyChunks(dependencies: ChunkDependencies, wish: ChunkWish): Promise<ChunkStep> {
  const until = dependencies.now().getTime() + turnMs;
  let step = await applyChunk(dependencies, wish);
  while (step.kind === 'applied' && dependencies.now().getTime() < until)
    step = await applyChunk(dependencies, { ...wish, attempt: 1 });
  return step;
}

/**
 * Applies the next chunk of one account. Its items are written first, each with a note of the outcome of its line. Then the chunk
 * and the counts change in one transaction. So the process may die at any point and the call be repeated: counts stay exact
 * (protocol 19).
 */
export async function applyChunk(
  dependencies: ChunkDependencies,
  { bulkId, accountId, attempt = 1 }: ChunkWish,
): Promise<ChunkStep> {
  const { store } = dependencies;
  const bulk = await findBulkSync(store, bulkId);
  if (bulk === null || !isUnfinished(bulk)) return { kind: 'stopped', progress: '' };
  const progress = progressOf(bulk);
  const chunk = await findNextChunk(store, bulk.uploadId, accountId);
  if (chunk === null) return { kind: 'nothing-left', progress };
  if (!chunk.isBegun) {
    if (bulk.state === 'cancelling') return { kind: 'stopped', progress };
    await beginChunk(store, chunk);
  }
  const outcome = await writeChunk(dependencies, bulk, { chunk, isSuspect: attempt > wholeTries });
  await settle(dependencies, { bulk, chunk, outcome });
  return { kind: 'applied', progress };
}

async function settle(
  { store, now }: ChunkDependencies,
  { bulk, chunk, outcome }: { bulk: BulkSync; chunk: BulkChunk; outcome: ChunkOutcome },
): Promise<void> {
  const { counts, leftOut, reports, stoppedBy } = outcome;
  // A member named by some of the lines only stops its own lines, not the bulk sync.
  const isStopped = stoppedBy === 'UNAUTHORIZED' || chunk.accountId === bulk.accountId;
  await inTransaction(store, async (session) => {
    // Another worker has applied and counted the chunk meanwhile, with the same outcome.
    if (!(await closeChunk(store, chunk, session))) return;
    await insertErrors(store, bulk.uploadId, { reports, now: now(), session });
    await raiseCounts(store, bulk, { counts, leftOut, now: now(), session, ...(isStopped && { stoppedBy }) });
  });
}

const progressOf = ({ total, created, updated, unchanged, failed, warned, removed }: BulkSync): string =>
  `${created + updated + unchanged + failed} of ${total} lines: ${created} created, ${updated} updated, ${unchanged} unchanged, ${failed} failed, ${warned} with warnings; ${removed} items removed.`;

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
