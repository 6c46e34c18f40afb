import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import {
  lineError,
  type BulkMode,
  type FileRemark,
  type LeftOutMode,
  type LineError,
  type UploadLimits,
} from './rules/bulk-sync.ts';
import { Refusal } from '../rules/errors.ts';
import { told, type Told } from '../rules/field-problems.ts';
import type { AccountId } from '../rules/ids.ts';
import type { Scope } from '../rules/scope.ts';
import type { Logger } from '../../platform/logger.ts';
import { checkLine, readLine, UnreadableLine } from '../../schemas/bulk-syncs/read-line.ts';
import { validationFailed } from '../../schemas/compile-schema.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { findMemberByReference } from '../resellers/store/member-connections.ts';
import { createLineDoubts } from './line-doubts.ts';
import { createLineIds, createShortenedIds } from './line-ids.ts';
import type { LineSink, NamedLine, PlacedLine } from './placed-line.ts';
import { splitLines, type RawLine } from './split-lines.ts';

export interface UploadBody {
  /** Throws {@link Refusal} when it breaks off, is too large or too slow. */
  bytes(): AsyncIterable<Uint8Array>;
  /** Digest of all bytes; valid once they have been read. */
  digest(): string;
  /** Reads the rest of the body for its digest. */
  drain(): Promise<void>;
}

/** Lines of an upload that are not empty, and lines whose id an earlier line of the same account has. */
export interface LineCounts {
  readonly total: number;
  readonly repeated: number;
  readonly remarks: readonly FileRemark[];
}

export interface UploadWish {
  readonly mode: BulkMode;
  readonly leftOut: LeftOutMode;
  readonly body: UploadBody;
  readonly limits: UploadLimits;
}

/**
 * Reads an upload line by line into `sink`, at the pace of the sink, and counts the lines. Throws {@link Refusal} as the body
 * does, PAYLOAD_TOO_LARGE for too many lines, and BAD_REQUEST for none in mode `merge`. VALIDATION_FAILED means a line of a
 * snapshot that is for another account or can't be attributed to an item.
 */
export async function readUpload(
  { store, logger, sink }: { store: StoreConnection; logger: Pick<Logger, 'error'>; sink: LineSink },
  scope: Scope,
  { mode, leftOut, body, limits }: UploadWish,
): Promise<LineCounts> {
  const place = placer(store, scope);
  const pauses = createPauses();
  const reader = createLineReader(sink, { leftOut, logger });
  let total = 0;
  for await (const { lines, lineCount } of splitLines(body.bytes(), limits.lineBytesMax)) {
    if (lineCount > limits.linesMax)
      throw new Refusal('PAYLOAD_TOO_LARGE', `The body has more than ${limits.linesMax} lines`);
    total += lines.length;
    for (const raw of lines) {
      if (pauses.isDue()) await pauses.take();
      const read = readRaw(raw, limits);
      const placed = 'externalId' in read && 'body' in read ? await place(read) : read;
      if (mode === 'snapshot') requireSnapshotLine(placed, scope);
      const taken = 'body' in placed ? reader.take(placed) : sink.fail(placed);
      if (taken !== undefined) await taken;
    }
  }
  if (total === 0 && mode === 'merge') throw new Refusal('BAD_REQUEST', 'The body has no lines');
  await reader.end();
  return { total, ...reader.found() };
}

/** Checks the lines whose account and item are known, with what the lines before them say. */
function createLineReader(
  sink: LineSink,
  { leftOut, logger }: Pick<UploadWish, 'leftOut'> & { readonly logger: Pick<Logger, 'error'> },
) {
  const [ids, shortened, doubts] = [createLineIds(), createShortenedIds(), createLineDoubts()];
  let repeated = 0;
  return {
    take: ({ body, repeated: namesRepeated, ...named }: PlacedName): Promise<void> | undefined => {
      const { externalId, line } = named;
      const earlier = ids.meet(named);
      if (earlier.repeats !== undefined) repeated += 1;
      const onUnexpected = (error: unknown): void =>
        logger.error({ line, err: error instanceof Error ? error.name : typeof error }, 'bulk_sync.line_not_checked');
      const checked = checkLine({ externalId, body, repeated: namesRepeated }, { ...earlier, leftOut, onUnexpected });
      if ('request' in checked) doubts.see(line, externalId, checked.request.content.title);
      const placed: PlacedLine = { ...named, ...checked };
      return shortened.holds(placed, body) ? undefined : sink.take(placed);
    },
    end: async (): Promise<void> => {
      for (const placed of shortened.release()) await sink.take(placed);
    },
    found: () => ({ repeated, remarks: doubts.remarks() }),
  };
}

const turnMsMax = 5;

/** One piece of a body may have 20,000 lines, so the loop pauses and lets other calls run. */
function createPauses() {
  let begunAt = performance.now();
  return {
    isDue: (): boolean => performance.now() - begunAt > turnMsMax,
    take: async (): Promise<void> => {
      await nextTurn();
      begunAt = performance.now();
    },
  };
}

type PlacedName = NamedLine & { readonly accountId: AccountId };

function readRaw(raw: RawLine, { lineBytesMax }: UploadLimits): NamedLine | LineError {
  const { line } = raw;
  if ('problem' in raw) {
    const message =
      raw.problem === 'too-long' ? `The line is longer than ${lineBytesMax} bytes` : 'The line is not valid UTF-8';
    return lineError({ line, externalId: null }, new Refusal('BAD_REQUEST', message));
  }
  try {
    return { ...readLine(raw.text), line };
  } catch (error) {
    if (!(error instanceof UnreadableLine)) throw error;
    return lineError({ line, externalId: error.externalId, account: error.account }, error.refusal);
  }
}

/** Looks up each reference once per upload, within the size of the cache. */
function placer(store: StoreConnection, { accountId, actingAccountId }: Scope) {
  const known = new LRUCache<string, { readonly accountId: AccountId | null }>({ max: 10_000 });
  const find = async (reference: string): Promise<AccountId | null> => {
    const remembered = known.get(reference);
    if (remembered !== undefined) return remembered.accountId;
    const found = await findMemberByReference(store, actingAccountId, reference);
    known.set(reference, { accountId: found });
    return found;
  };
  return async (line: NamedLine): Promise<PlacedName | LineError> => {
    if (line.account === undefined) return { ...line, accountId };
    const found = await find(line.account);
    return found === null ? lineError(line, unknownAccount()) : { ...line, accountId: found };
  };
}

/** The refusal of a line whose account is unknown. */
export const unknownAccount = (): Refusal =>
  new Refusal('PARTNER_ACCOUNT_FORBIDDEN', 'The account names no member that this account may act for');

/**
 * A line without a known item must fail the whole upload, because its item would count as left out and be taken down.
 */
function requireSnapshotLine(placed: PlacedName | LineError, scope: Scope): void {
  if (!('body' in placed)) {
    if (placed.code === 'PARTNER_ACCOUNT_FORBIDDEN') throw otherAccount(placed.line);
    throw badLine(placed.line, told('line_without_item', { error: placed.error }));
  }
  if (placed.accountId !== scope.accountId) throw otherAccount(placed.line);
}

const otherAccount = (line: number): Refusal => badLine(line, told('other_account'));

const badLine = (line: number, wrong: Told): Refusal => validationFailed([{ field: `line ${line}`, ...wrong }]);
