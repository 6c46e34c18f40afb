import {
  addLeftOut,
  lineError,
  lineWarning,
  type BulkCounts,
  type BulkSync,
  type LineError,
  type LineName,
  type LineReport,
  type LineWarning,
  type SenderStop,
} from './rules/bulk-sync.ts';
import type { Refusal } from '../rules/errors.ts';
import { groupBy } from '../rules/group-by.ts';
import type { FieldProblem } from '../rules/field-problems.ts';
import type { ItemRequest } from '../items/rules/item-content.ts';
import type { Scope } from '../rules/scope.ts';
import type { Logger } from '../../platform/logger.ts';
import {
  advanceChunk,
  insertErrors,
  type BulkChunk,
  type ChunkProgress,
  type StoredLine,
} from './store/bulk-chunks.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import type { WritesTogether } from '../items/store/accept-writes.ts';
import {
  decideLines,
  groupsOf,
  type BulkOrigin,
  type Decided,
  type ItemLine,
  type LineDependencies,
  type LineResult,
} from '../items/apply-lines.ts';
import { decideRemovals } from '../items/remove-lines.ts';
import { confirmSender, SenderGone } from './confirm-sender.ts';

export interface ChunkDependencies {
  readonly store: StoreConnection;
  readonly items: LineDependencies;
  readonly logger: Pick<Logger, 'error'>;
  readonly now: () => Date;
}

type LinesChunk = Extract<BulkChunk, { kind: 'lines' }>;
type RemovalsChunk = Extract<BulkChunk, { kind: 'removals' }>;

/** A chunk with those of its lines that are stored in one transaction, the first of them at its `nextLine`. */
export type Piece = BulkChunk;

export const linesOf = (chunk: BulkChunk): readonly { readonly line: number; readonly externalId: string }[] =>
  chunk.kind === 'lines' ? chunk.lines : chunk.removals;

type Outcome = Exclude<keyof BulkCounts, 'failed' | 'warned'> | 'kept';
type LineOutcome = { readonly line: number } & (
  | {
      readonly outcome: Outcome;
      readonly warning?: LineWarning | undefined;
      readonly leftOut?: readonly string[] | undefined;
    }
  | { readonly error: LineError }
);

/** What a piece writes, and what becomes of each of its lines. */
interface Decision extends WritesTogether {
  readonly outcomes: readonly LineOutcome[];
  /** Why the sender may write no more of the account. */
  readonly stoppedBy: SenderStop | null;
}

/** Another process has applied the piece, or the bulk sync has ended. */
export class PieceTaken extends Error {
  override readonly name = 'PieceTaken';
}

/**
 * Applies a piece: its items, what was applied of the chunk and the reports of its lines are one transaction. So the process may die
 * at any point and the call be repeated: counts stay exact (protocol 20). Once the sender may no longer write the account, its lines
 * fail (protocol 21). Returns what was applied of the chunk.
 */
export async function applyPiece(
  dependencies: ChunkDependencies,
  bulk: BulkSync,
  piece: Piece,
): Promise<ChunkProgress> {
  return storePiece(dependencies, bulk, { piece, decision: await decide(dependencies, bulk, piece) });
}

/** Lets all lines of a piece fail. An item that the snapshot left out is kept. */
export const refusePiece = (
  dependencies: ChunkDependencies,
  bulk: BulkSync,
  { piece, refusal }: { readonly piece: Piece; readonly refusal: Refusal },
): Promise<ChunkProgress> => storePiece(dependencies, bulk, { piece, decision: refused(piece, refusal) });

async function storePiece(
  { store, items, now }: ChunkDependencies,
  bulk: BulkSync,
  { piece, decision }: { readonly piece: Piece; readonly decision: Decision },
): Promise<ChunkProgress> {
  const { progress, reports } = tally(piece, decision);
  await items.lines.writeWith(decision, async (session) => {
    if (!(await advanceChunk(store, piece, { progress, session }))) throw new PieceTaken('another process applied it');
    await insertErrors(store, bulk.uploadId, { reports, now: now(), session });
  });
  return progress;
}

/** Asks right before the write whether the sender may still write the account. */
async function decide(dependencies: ChunkDependencies, bulk: BulkSync, piece: Piece): Promise<Decision> {
  const { actingAccountId, credential, requestId } = bulk;
  const { accountId } = piece;
  const scope: Scope = { accountId, actingAccountId, credential, ...(requestId !== null && { requestId }) };
  const decision =
    piece.kind === 'lines'
      ? await decidePieceLines(dependencies.items, scope, { piece, bulk })
      : await decidePieceRemovals(dependencies.items, scope, { piece, bulk });
  try {
    await confirmSender(dependencies, scope);
    return decision;
  } catch (error) {
    if (!(error instanceof SenderGone)) throw error;
    return { ...refused(piece, error.refusal), stoppedBy: error.stoppedBy };
  }
}

function refused(piece: Piece, refusal: Refusal): Decision {
  const outcomes =
    piece.kind === 'lines'
      ? piece.lines.map((line) => ({ line: line.line, error: lineError(line, refusal) }))
      : piece.removals.map(({ line }) => ({ line, outcome: 'kept' as const }));
  return { changes: [], unchanged: [], outcomes, stoppedBy: null };
}

const originOf = ({ id: bulkId, acceptedAt }: BulkSync): BulkOrigin => ({ bulkId, acceptedAt });

async function decidePieceLines(
  items: LineDependencies,
  scope: Scope,
  { piece, bulk }: { readonly piece: LinesChunk; readonly bulk: BulkSync },
): Promise<Decision> {
  const origin = originOf(bulk);
  const same = await findUnchanged(items, scope, { piece, origin });
  const others = piece.lines.filter((line) => !same.has(line));
  const groups = groupsOf(others.map((line): ItemLine => ({ ...line, request: requestOf(line) })));
  const decided = await decideLines(items, scope, { groups, bulk: origin });
  const results = new Map(decided.flatMap(({ decision }) => decision.results.map((result) => [result.line, result])));
  const outcomes = piece.lines.map((line) =>
    same.has(line) ? unchangedOf(line) : outcomeOf(line, results.get(line.line)),
  );
  return { ...writesOf(decided), outcomes, stoppedBy: null };
}

/** What is to be stored, and the items that must be as they were read. */
export const writesOf = (decided: readonly Decided[]): WritesTogether => ({
  changes: decided.flatMap(({ previous, decision: { next } }) => (next === null ? [] : [{ previous, next }])),
  unchanged: decided.flatMap(({ previous, decision: { next } }) =>
    next === null && previous !== null ? [previous] : [],
  ),
});

const unchangedOf = (line: StoredLine): LineOutcome => ({
  line: line.line,
  outcome: 'unchanged',
  warning: warningOf(line, line.warnings ?? []),
});

function outcomeOf(stored: StoredLine, result: LineResult | undefined): LineOutcome {
  if (result === undefined) throw new Error(`line ${stored.line} has no result`);
  if ('refusal' in result) return { line: stored.line, error: lineError(stored, result.refusal) };
  const { line, outcome, leftOut, warnings } = result;
  return { line, outcome, leftOut, warning: warningOf(stored, warnings) };
}

/**
 * The lines whose items are unchanged, by their hashes: one query for all of them, and no item is read. A line is left out
 * where more must be known. That is so for several lines of one item, and for an item written since the bulk was accepted. It is so,
 * too, while an older bulk may undo the result (`withTrace`).
 */
async function findUnchanged(
  { lines: store, hasOlderBulk }: LineDependencies,
  scope: Scope,
  { piece, origin }: { piece: LinesChunk; origin: BulkOrigin },
): Promise<ReadonlySet<StoredLine>> {
  // Asked before the items are read, so the read includes all writes of a bulk sync that has ended.
  if (await hasOlderBulk?.(scope, origin)) return new Set();
  const alone = [...groupBy(piece.lines, ({ externalId }) => externalId).values()].filter((own) => own.length === 1);
  const lines = alone.flat();
  const found = await store.findPushed(
    piece.accountId,
    lines.map(({ externalId }) => externalId),
  );
  const known = new Map(found.map((item) => [item.externalId, item]));
  return new Set(
    lines.filter(({ externalId, hash }) => {
      const item = known.get(externalId);
      return item?.pushHash === hash && (item.acceptedAt === null || item.acceptedAt <= origin.acceptedAt);
    }),
  );
}

/** The request as the upload has checked and stored it. */
function requestOf({ request, warnings = [] }: StoredLine): ItemRequest {
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- what JSON text holds, the compiler can't know
  const asked = JSON.parse(request) as Omit<ItemRequest, 'warnings'>;
  return { ...asked, warnings };
}

const warningOf = (name: LineName, warnings: readonly FieldProblem[]): LineWarning | undefined =>
  warnings.length === 0 ? undefined : lineWarning(name, warnings);

async function decidePieceRemovals(
  items: LineDependencies,
  scope: Scope,
  { piece, bulk }: { readonly piece: RemovalsChunk; readonly bulk: BulkSync },
): Promise<Decision> {
  const origin = { ...originOf(bulk), removedBefore: bulk.startedAt };
  const { changes, results } = await decideRemovals(items, scope, { items: piece.removals, bulk: origin });
  return { changes, unchanged: [], outcomes: results, stoppedBy: null };
}

/** What is applied of the chunk after this piece, and the lines that failed or have warnings. */
function tally(
  piece: Piece,
  { outcomes, stoppedBy }: Decision,
): { readonly progress: ChunkProgress; readonly reports: readonly LineReport[] } {
  const counts = { ...piece.counts };
  const reports: LineReport[] = [];
  let { leftOut } = piece;
  for (const result of outcomes) {
    if ('error' in result) {
      counts.failed += 1;
      reports.push(result.error);
      continue;
    }
    if (result.outcome !== 'kept') counts[result.outcome] += 1;
    leftOut = addLeftOut(leftOut, result.leftOut ?? []);
    if (result.warning === undefined) continue;
    counts.warned += 1;
    reports.push(result.warning);
  }
  const nextLine = piece.nextLine + outcomes.length;
  return { progress: { nextLine, counts, leftOut, stoppedBy: stoppedBy ?? piece.stoppedBy }, reports };
}
