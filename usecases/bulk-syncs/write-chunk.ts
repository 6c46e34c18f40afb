import {
  addLeftOut,
  lineError,
  lineWarning,
  type BulkCounts,
  type BulkSync,
  type LeftOutCounts,
  type LineError,
  type LineName,
  type LineReport,
  type LineWarning,
  type SenderStop,
} from '../../core/bulk-syncs/bulk-sync.ts';
import type { Refusal } from '../../core/errors.ts';
import { groupBy } from '../../core/group-by.ts';
import { appliedChunkOf, type AppliedChunk, type LineOutcome as AppliedLine } from '../../core/items/applied-chunk.ts';
import type { ItemRequest, RequestWarning } from '../../core/items/item-content.ts';
import type { Scope } from '../../core/scope.ts';
import { unexpectedFailure } from '../../schemas/bulk-syncs/read-line.ts';
import type { Logger } from '../../platform/logger.ts';
import type { BulkChunk, StoredLine } from '../../store/bulk-syncs/bulk-chunks.ts';
import { findBulkSync } from '../../store/bulk-syncs/bulk-syncs.ts';
import { isStoreUnavailable, type StoreConnection } from '../../store/database/connection.ts';
import type { ItemLineStore } from '../../store/items/item-lines.ts';
import { applyLines, type BulkOrigin, type ItemLine, type LineDependencies } from '../items/apply-lines.ts';
import { removeLines } from '../items/remove-lines.ts';
import { confirmSender, SenderGone } from './confirm-sender.ts';

export interface ChunkDependencies {
  readonly store: StoreConnection;
  readonly items: LineDependencies;
  readonly logger: Pick<Logger, 'error'>;
  readonly now: () => Date;
}

/** The outcome of a chunk. */
export interface ChunkOutcome {
  readonly counts: BulkCounts;
  readonly leftOut: LeftOutCounts;
  /** Lines that failed or have warnings. */
  readonly reports: readonly LineReport[];
  /** Why the sender may write no more of the account. */
  readonly stoppedBy?: SenderStop;
}

type Outcome = Exclude<keyof BulkCounts, 'failed' | 'warned'> | 'kept';
type LineOutcome = { readonly line: number } & (
  | {
      readonly outcome: Outcome;
      readonly warning?: LineWarning | undefined;
      readonly leftOut?: readonly string[] | undefined;
    }
  | { readonly error: LineError }
);
type LinesChunk = Extract<BulkChunk, { kind: 'lines' }>;
type RemovalsChunk = Extract<BulkChunk, { kind: 'removals' }>;

/**
 * Writes the items of a chunk. Once the sender may no longer write the account, no further line is written (protocol 20).
 * `isSuspect`: the chunk has failed repeatedly. Then its items are written one by one, so a line that throws fails alone and does
 * not block the others.
 */
export async function writeChunk(
  dependencies: ChunkDependencies,
  bulk: BulkSync,
  { chunk, isSuspect }: { readonly chunk: BulkChunk; readonly isSuspect: boolean },
): Promise<ChunkOutcome> {
  const { actingAccountId, credential, requestId } = bulk;
  const { accountId } = chunk;
  const scope: Scope = { accountId, actingAccountId, credential, ...(requestId !== null && { requestId }) };
  const origin = { bulkId: bulk.id, chunk: chunk.number, acceptedAt: bulk.acceptedAt };
  const items = guarded(dependencies, bulk, scope);
  const removedBefore = bulk.startedAt;
  const apply = (part: BulkChunk): Promise<LineOutcome[]> =>
    part.kind === 'lines'
      ? applyLinesOf(items, scope, { chunk: part, origin })
      : removeItemsOf(items, scope, { chunk: part, origin, removedBefore });
  const work = () => (isSuspect ? applyOneByOne(dependencies, { chunk, origin }, apply) : apply(chunk));
  try {
    await confirmSender(dependencies, scope);
    return tally(await work());
  } catch (error) {
    if (!(error instanceof SenderGone)) throw error;
    const { refusal, stoppedBy } = error;
    return { ...tally(await failUnlessWritten(dependencies.items.lines, { chunk, origin }, refusal)), stoppedBy };
  }
}

/** Why this attempt may write no more of the chunk, independent of its lines. */
class AttemptOver extends Error {}

/** After a longer time the workflow takes this worker for dead and gives the chunk to another one. */
const writeWithinMs = 40_000;

/** Checks again right before each write: a process that was paused must not write for a bulk sync or attempt that is over. */
function guarded({ store, items, now }: ChunkDependencies, bulk: BulkSync, scope: Scope): LineDependencies {
  const until = now().getTime() + writeWithinMs;
  const lines: ItemLineStore = {
    ...items.lines,
    write: async (changes, options) => {
      if (changes.length > 0) {
        const [present] = await Promise.all([findBulkSync(store, bulk.id), confirmSender({ store, now }, scope)]);
        if (present === null || present.completedAt !== null) throw new AttemptOver('the bulk sync has ended');
        if (now().getTime() > until) throw new AttemptOver('the chunk took too long');
      }
      return items.lines.write(changes, options);
    },
  };
  return { ...items, lines };
}

/** The lines of an item stay together: its note has the outcome of all of them. */
async function applyOneByOne(
  { items, logger }: ChunkDependencies,
  { chunk, origin }: { chunk: BulkChunk; origin: BulkOrigin },
  apply: (part: BulkChunk) => Promise<LineOutcome[]>,
): Promise<LineOutcome[]> {
  const outcomes: LineOutcome[] = [];
  for (const part of partsOf(chunk)) {
    try {
      outcomes.push(...(await apply(part)));
    } catch (err) {
      if (err instanceof SenderGone || err instanceof AttemptOver || isStoreUnavailable(err)) throw err;
      const lines = (part.kind === 'lines' ? part.lines : part.removals).map(({ line }) => line);
      logger.error({ bulkId: origin.bulkId, kind: part.kind, lines, err: nameOf(err) }, 'bulk_sync.line_failed');
      outcomes.push(...(await failUnlessWritten(items.lines, { chunk: part, origin }, unexpectedFailure())));
    }
  }
  return outcomes;
}

function partsOf(chunk: BulkChunk): BulkChunk[] {
  if (chunk.kind === 'removals') return chunk.removals.map((removal) => ({ ...chunk, removals: [removal] }));
  return linesByItem(chunk).map((lines) => ({ ...chunk, lines }));
}

const linesByItem = ({ lines }: LinesChunk): LinesChunk['lines'][number][][] => [
  ...groupBy(lines, ({ externalId }) => externalId).values(),
];

async function applyLinesOf(
  items: LineDependencies,
  scope: Scope,
  { chunk, origin }: { chunk: LinesChunk; origin: BulkOrigin },
): Promise<LineOutcome[]> {
  const same = await findUnchanged(items, scope, { chunk, origin });
  const lines = chunk.lines.filter((line) => !same.has(line));
  const results = await applyLines(items, scope, {
    lines: lines.map((line): ItemLine => ({ ...line, request: requestOf(line) })),
    bulk: origin,
  });
  const applied = new Map(results.map((result) => [result.line, result]));
  return chunk.lines.map((line): LineOutcome => {
    if (same.has(line)) return { line: line.line, outcome: 'unchanged', warning: warningOf(line, line.warnings ?? []) };
    const result = applied.get(line.line);
    if (result === undefined) throw new Error(`line ${line.line} has no result`);
    return 'refusal' in result
      ? { line: line.line, error: lineError(line, result.refusal) }
      : { ...pick(result), warning: warningOf(line, result.warnings) };
  });
}

/**
 * The lines whose items are unchanged, by their hashes: one query for all of them, and no item is read. A line is left out
 * where more must be known. That is so for several lines of one item, and for an item written since the bulk was accepted or by
 * the bulk itself. It is so, too, while an older bulk may undo the result (`withTrace`).
 */
async function findUnchanged(
  { lines: store, hasOlderBulk }: LineDependencies,
  scope: Scope,
  { chunk, origin }: { chunk: LinesChunk; origin: BulkOrigin },
): Promise<ReadonlySet<StoredLine>> {
  // Asked before the items are read, so the read includes all writes of a bulk sync that has ended.
  if (await hasOlderBulk?.(scope, origin)) return new Set();
  const alone = [...groupBy(chunk.lines, ({ externalId }) => externalId).values()].filter((own) => own.length === 1);
  const lines = alone.flat();
  const found = await store.findPushed(
    chunk.accountId,
    lines.map(({ externalId }) => externalId),
  );
  const known = new Map(found.map((item) => [item.externalId, item]));
  return new Set(
    lines.filter(({ externalId, hash }) => {
      const item = known.get(externalId);
      if (item === undefined || item.pushHash !== hash) return false;
      const isOlder = item.acceptedAt === null || item.acceptedAt <= origin.acceptedAt;
      return isOlder && appliedChunkOf(item.appliedChunks, origin.bulkId) === undefined;
    }),
  );
}

/** The request as the upload has checked and stored it. */
function requestOf({ request, warnings = [] }: StoredLine): ItemRequest {
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- what JSON text holds, the compiler can't know
  const asked = JSON.parse(request) as Omit<ItemRequest, 'warnings'>;
  return { ...asked, warnings };
}

const warningOf = (name: LineName, warnings: readonly RequestWarning[]): LineWarning | undefined =>
  warnings.length === 0 ? undefined : lineWarning(name, warnings);

const pick = ({
  line,
  outcome,
  leftOut,
}: Omit<AppliedLine, 'outcome'> & { readonly outcome: Outcome }): LineOutcome => ({
  ...{ line, outcome, leftOut },
});

/** The name only: the message of an error may quote the line. */
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

const removeItemsOf = async (
  items: LineDependencies,
  scope: Scope,
  { chunk, origin, removedBefore }: { chunk: RemovalsChunk; origin: BulkOrigin; removedBefore: Date },
): Promise<LineOutcome[]> => [
  ...(await removeLines(items, scope, { items: chunk.removals, bulk: { ...origin, removedBefore } })),
];

/** Lines written by an earlier attempt keep their outcome; all other lines fail. An item that the snapshot left out is kept. */
async function failUnlessWritten(
  lines: ItemLineStore,
  { chunk, origin }: { chunk: BulkChunk; origin: BulkOrigin },
  refusal: Refusal,
): Promise<LineOutcome[]> {
  const written = await writtenBefore(lines, chunk, origin);
  if (chunk.kind === 'removals')
    return chunk.removals.map(({ line }) => ({ line, outcome: written.get(line)?.outcome ?? 'kept' }));
  return chunk.lines.map((stored): LineOutcome => {
    const { line } = stored;
    const known = written.get(line);
    if (known === undefined) return { line, error: lineError(stored, refusal) };
    return { ...pick(known), warning: warningOf(stored, requestOf(stored).warnings) };
  });
}

async function writtenBefore(
  lines: ItemLineStore,
  chunk: BulkChunk,
  { bulkId, chunk: number }: BulkOrigin,
): Promise<ReadonlyMap<number, AppliedLine>> {
  const marks = (await markedItems(lines, chunk))
    .flatMap(({ appliedChunks }) => appliedChunkOf(appliedChunks, bulkId) ?? [])
    .filter((mark) => mark.chunk === number);
  return new Map(marks.flatMap(({ outcomes }) => outcomes.map((applied) => [applied.line, applied])));
}

async function markedItems(
  lines: ItemLineStore,
  chunk: BulkChunk,
): Promise<readonly { readonly appliedChunks: readonly AppliedChunk[] }[]> {
  const { accountId } = chunk;
  if (chunk.kind === 'removals') {
    return lines.findByIds(
      accountId,
      chunk.removals.map(({ itemId }) => itemId),
    );
  }
  const externalIds = chunk.lines.map(({ externalId }) => externalId);
  const [current, former] = await Promise.all([
    lines.findCurrent(accountId, externalIds),
    lines.findFormer(accountId, externalIds),
  ]);
  return [...current, ...former];
}

function tally(outcomes: readonly LineOutcome[]): ChunkOutcome {
  const counts = { created: 0, updated: 0, unchanged: 0, failed: 0, warned: 0, removed: 0 };
  const reports: LineReport[] = [];
  let leftOut: LeftOutCounts = {};
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
  return { counts, leftOut, reports };
}
