import type { BulkSync } from './rules/bulk-sync.ts';
import { Refusal } from '../rules/errors.ts';
import type { AccountId, BulkSyncId } from '../rules/ids.ts';
import { unexpectedFailure } from '../../schemas/bulk-syncs/read-line.ts';
import {
  closeChunk,
  closeUntouched,
  deleteChunks,
  findNextChunk,
  findOpenAccounts,
  findOpenChunk,
  type BulkChunk,
  type ChunkProgress,
} from './store/bulk-chunks.ts';
import { closeBulkSync, findBulkSync, raiseCounts } from './store/bulk-syncs.ts';
import { isStoreUnavailable, type StoreConnection } from '../../platform/database/connection.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { isConflict } from '../items/store/accept-writes.ts';
import { retryOnConflict } from '../items/write-item.ts';
import { applyPiece, linesOf, PieceTaken, refusePiece, type ChunkDependencies, type Piece } from './apply-piece.ts';

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
 * Applies the next chunk of one account piece by piece, and adds what became of it to the counts of the bulk sync. A process that
 * comes after one that died goes on at the first line that is not applied.
 */
export async function applyChunk(
  dependencies: ChunkDependencies,
  { bulkId, accountId, attempt = 1 }: ChunkWish,
): Promise<ChunkStep> {
  const { store } = dependencies;
  const bulk = await findBulkSync(store, bulkId);
  if (bulk === null || bulk.state !== 'running') return { kind: 'stopped', progress: '' };
  const progress = progressOf(bulk);
  const chunk = await findNextChunk(store, bulk.uploadId, accountId);
  if (chunk === null) return { kind: 'nothing-left', progress };
  try {
    await applyPieces(dependencies, bulk, { chunk, isSuspect: attempt > wholeTries });
  } catch (error) {
    if (!(error instanceof PieceTaken)) throw error;
    return { kind: 'applied', progress };
  }
  await endChunk(dependencies, bulk, chunk);
  return { kind: 'applied', progress };
}

interface Applied {
  readonly chunk: BulkChunk;
  /** The chunk has failed repeatedly: its lines are applied one by one, and one that throws fails alone. */
  readonly isSuspect: boolean;
}

/** A piece that meets another writer is halved, down to one line, so that no writer waits for more than one piece. */
async function applyPieces(
  dependencies: ChunkDependencies,
  bulk: BulkSync,
  { chunk, isSuspect }: Applied,
): Promise<void> {
  const applyLine = isSuspect ? applySuspect : applyAlone;
  const total = linesOf(chunk).length;
  let done: ChunkProgress = chunk;
  let size = isSuspect ? 1 : total;
  while (done.nextLine < total) {
    const piece = cut(chunk, done, size);
    const lines = linesOf(piece).length;
    const applied = await (lines === 1 ? applyLine : applyUnlessMet)(dependencies, bulk, piece);
    size = applied === null ? Math.ceil(lines / 2) : isSuspect ? 1 : size * 2;
    done = applied ?? done;
  }
}

function cut(chunk: BulkChunk, { nextLine, ...done }: ChunkProgress, size: number): Piece {
  const end = nextLine + size;
  return chunk.kind === 'lines'
    ? { ...chunk, ...done, nextLine, lines: chunk.lines.slice(nextLine, end) }
    : { ...chunk, ...done, nextLine, removals: chunk.removals.slice(nextLine, end) };
}

type ApplyPiece = (dependencies: ChunkDependencies, bulk: BulkSync, piece: Piece) => Promise<ChunkProgress | null>;

/** null: another writer was met, and nothing was applied. */
const applyUnlessMet: ApplyPiece = async (dependencies, bulk, piece) => {
  try {
    return await applyPiece(dependencies, bulk, piece);
  } catch (error) {
    if (isConflict(error)) return null;
    throw error;
  }
};

/** The item of a line was changed, or locked by a process that died, for seconds. The engine tries the line again later. */
class ItemBusy extends Error {
  override readonly name = 'ItemBusy';
}

/** In its turn among the writers of its item. Throws {@link ItemBusy}. */
const applyAlone: ApplyPiece = async (dependencies, bulk, piece) => {
  const [{ line, externalId } = { line: 0, externalId: '' }] = linesOf(piece);
  const key = `${piece.accountId} ${externalId}`;
  try {
    return await dependencies.items.runExclusive(key, () =>
      retryOnConflict(() => applyUnlessMet(dependencies, bulk, piece)),
    );
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'CONFLICT') throw error;
    throw new ItemBusy(`the item of line ${line} is being changed by others`, { cause: error });
  }
};

const applySuspect: ApplyPiece = async (dependencies, bulk, piece) => {
  try {
    return await applyAlone(dependencies, bulk, piece);
  } catch (err) {
    if (err instanceof PieceTaken || err instanceof ItemBusy || isStoreUnavailable(err)) throw err;
    const lines = linesOf(piece).map(({ line }) => line);
    dependencies.logger.error({ bulkId: bulk.id, kind: piece.kind, lines, err: nameOf(err) }, 'bulk_sync.line_failed');
    return refusePiece(dependencies, bulk, { piece, refusal: unexpectedFailure() });
  }
};

/** The name only: the message of an error may quote the line. */
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

/** Closes a chunk, and adds what was applied of it to the counts of the bulk sync. */
async function endChunk(
  { store, now }: Pick<ChunkDependencies, 'store' | 'now'>,
  bulk: BulkSync,
  chunk: Pick<BulkChunk, '_id' | 'accountId'>,
): Promise<void> {
  await inTransaction(store, async (session) => {
    const done = await closeChunk(store, chunk, session);
    if (done === null) return;
    const { counts, leftOut, stoppedBy } = done;
    // A member named by some of the lines only stops its own lines, not the bulk sync.
    const isStopped = stoppedBy === 'UNAUTHORIZED' || (stoppedBy !== null && chunk.accountId === bulk.accountId);
    await raiseCounts(store, bulk, { counts, leftOut, now: now(), session, ...(isStopped && { stoppedBy }) });
  });
}

const progressOf = ({ total, created, updated, unchanged, failed, warned, removed }: BulkSync): string =>
  `${created + updated + unchanged + failed} of ${total} lines: ${created} created, ${updated} updated, ${unchanged} unchanged, ${failed} failed, ${warned} with warnings; ${removed} items removed.`;

/** A limit for the workflow's history; further accounts are planned in a later round. */
const accountsMax = 1_000;

/** Returns the accounts with chunks to apply; empty when none is left, or the bulk sync is being cancelled. */
export async function planBulk({ store }: { store: StoreConnection }, id: BulkSyncId): Promise<readonly AccountId[]> {
  const bulk = await findBulkSync(store, id);
  if (bulk === null || bulk.state !== 'running') return [];
  return (await findOpenAccounts(store, bulk.uploadId)).slice(0, accountsMax);
}

/**
 * Marks a bulk sync as ended. Called when {@link planBulk} returns no account and no chunk is under way. After a cancellation chunks
 * may be open: no piece of one that is closed is stored, and what was applied of the others is counted.
 */
export async function endBulk(
  { store, now }: { store: StoreConnection; now: () => Date },
  id: BulkSyncId,
): Promise<void> {
  const bulk = await findBulkSync(store, id);
  if (bulk === null) return;
  await closeUntouched(store, bulk.uploadId);
  const left = () => findOpenChunk(store, bulk.uploadId);
  for (let chunk = await left(); chunk !== null; chunk = await left()) await endChunk({ store, now }, bulk, chunk);
  await closeBulkSync(store, bulk, now());
  await deleteChunks(store, bulk.uploadId);
}
