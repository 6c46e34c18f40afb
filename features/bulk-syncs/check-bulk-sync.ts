import { randomUUID } from 'node:crypto';
import {
  addLeftOut,
  lineError,
  lineWarning,
  uploadLimits,
  type LeftOutCounts,
  type LineReport,
} from './rules/bulk-sync.ts';
import type { Scope } from '../rules/scope.ts';
import { bytesOf } from './store/bulk-chunks.ts';
import { deleteIds } from './store/snapshot-external-ids.ts';
import { readDatabaseTime } from '../../platform/database/connection.ts';
import type { Context } from '../context.ts';
import type { AcceptContext, BulkWish } from './accept-bulk-sync.ts';
import { createComparer, type ComparedLine } from './compare-lines.ts';
import { describeLeftOut, type LeftOutField } from './manage-bulk-syncs.ts';
import type { LineSink } from './placed-line.ts';
import { bothDone, createUploadWriter } from './upload-writer.ts';
import { readUpload, type LineCounts } from './read-upload.ts';
import { refuseTooMany } from './store-removals.ts';

export interface BulkCheck extends LineCounts {
  readonly failed: number;
  readonly warned: number;
  readonly removed: number;
  readonly leftOutFields: readonly LeftOutField[];
  /** The first errors, then the first warnings. */
  readonly errors: readonly LineReport[];
}

/** Limit for the errors, and again for the warnings. */
const shownMax = 100;
/** Further reports are only counted, like those beyond the first 100. */
const shownBytesMax = 512 * 1024;

/**
 * Checks the lines of an upload by their content and by the items that are there, without any effect. Throws
 * {@link Refusal} as acceptBulkSync does, but does not look at other bulk syncs.
 */
export async function checkBulkSync(
  context: AcceptContext & Pick<Context, 'lines'>,
  scope: Scope,
  { mode, leftOut, body, isConfirmed }: BulkWish,
): Promise<BulkCheck> {
  const { store, logger, now, uploadLimits: limits = uploadLimits, confirmCredential } = context;
  const { accountId } = scope;
  const uploadId = randomUUID();
  const startedAt = await readDatabaseTime(store);
  const isSnapshot = mode === 'snapshot';
  const ids = createUploadWriter({ store, uploadId, now, keepsIds: isSnapshot, keepsLines: false });
  const checker = createChecker();
  const comparer = createComparer(context.lines, checker.take);
  const sink: LineSink = {
    take: (line) => {
      const compared = comparer.take(line);
      const kept = isSnapshot ? ids.take(line) : undefined;
      return compared === undefined || kept === undefined ? (compared ?? kept) : bothDone(compared, kept);
    },
    fail: checker.fail,
  };
  try {
    const lines = await readUpload({ store, logger, sink }, scope, { mode, leftOut, body, limits });
    await comparer.finish();
    await ids.finish();
    const { removed } = isSnapshot
      ? await refuseTooMany(store, { accountId, uploadId, startedAt, isConfirmed })
      : { removed: 0 };
    await confirmCredential(scope);
    return { ...lines, removed, ...checker.found() };
  } finally {
    await ids.allWritten();
    if (isSnapshot) await deleteIds(store, uploadId);
  }
}

function createChecker() {
  const [failed, warned] = [createFirst(), createFirst()];
  let leftOut: LeftOutCounts = {};
  return {
    fail: failed.add,
    take: ({ placed, leftOut: fields }: ComparedLine): void => {
      leftOut = addLeftOut(leftOut, fields);
      if ('refusal' in placed) failed.add(lineError(placed, placed.refusal));
      else if (placed.request.warnings.length > 0) warned.add(lineWarning(placed, placed.request.warnings));
    },
    found: () => ({
      failed: failed.count(),
      warned: warned.count(),
      leftOutFields: describeLeftOut(leftOut),
      errors: [...failed.shown(), ...warned.shown()],
    }),
  };
}

/** Counts all reports and keeps the first ones, in the order of the file. */
function createFirst() {
  const shown: LineReport[] = [];
  let count = 0;
  let bytes = 0;
  return {
    shown: (): readonly LineReport[] => shown.toSorted((one, other) => one.line - other.line),
    count: () => count,
    add: (report: LineReport): undefined => {
      count += 1;
      if (shown.length >= shownMax || bytes >= shownBytesMax) return;
      shown.push(report);
      bytes += bytesOf(report);
    },
  };
}
