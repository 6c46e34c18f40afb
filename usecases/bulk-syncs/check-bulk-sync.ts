import { randomUUID } from 'node:crypto';
import { lineError, lineWarning, uploadLimits, type LineReport } from '../../core/bulk-syncs/bulk-sync.ts';
import type { Scope } from '../../core/scope.ts';
import { bytesOf } from '../../store/bulk-syncs/bulk-chunks.ts';
import { deleteIds } from '../../store/bulk-syncs/snapshot-external-ids.ts';
import { readDatabaseTime } from '../../store/database/connection.ts';
import type { AcceptContext, BulkWish } from './accept-bulk-sync.ts';
import { createUploadWriter } from './upload-writer.ts';
import { readUpload, type LineCounts, type LineSink, type PlacedLine } from './read-upload.ts';
import { refuseTooMany } from './store-removals.ts';

export interface BulkCheck extends LineCounts {
  readonly failed: number;
  readonly warned: number;
  readonly removed: number;
  /** The first errors, then the first warnings. */
  readonly errors: readonly LineReport[];
}

/** Limit for the errors, and again for the warnings. */
const shownMax = 100;
/** Further reports are only counted, like those beyond the first 100. */
const shownBytesMax = 512 * 1024;

/**
 * Checks the lines of an upload by their content alone, without any effect. Throws {@link Refusal} as acceptBulkSync does, but
 * does not look at other bulk syncs.
 */
export async function checkBulkSync(context: AcceptContext, scope: Scope, wish: BulkWish): Promise<BulkCheck> {
  const { store, logger, now, uploadLimits: limits = uploadLimits, confirmCredential } = context;
  const { mode, body, isConfirmed } = wish;
  const { accountId } = scope;
  const uploadId = randomUUID();
  const startedAt = await readDatabaseTime(store);
  const isSnapshot = mode === 'snapshot';
  const ids = createUploadWriter({ store, uploadId, now, keepsIds: isSnapshot, keepsLines: false });
  const checker = createChecker();
  const sink: LineSink = {
    take: (line) => {
      checker.take(line);
      return isSnapshot ? ids.take(line) : undefined;
    },
    fail: checker.fail,
  };
  try {
    const lines = await readUpload({ store, logger, sink }, scope, { mode, body, limits });
    await ids.finish();
    const { removed } = isSnapshot
      ? await refuseTooMany(store, { accountId, uploadId, startedAt, isConfirmed })
      : { removed: 0 };
    await confirmCredential(scope);
    return { ...lines, removed, ...checker.found() };
  } finally {
    await ids.settle();
    if (isSnapshot) await deleteIds(store, uploadId);
  }
}

function createChecker() {
  const [failed, warned] = [createFirst(), createFirst()];
  return {
    fail: failed.add,
    take: (line: PlacedLine): void => {
      if ('refusal' in line) failed.add(lineError(line, line.refusal));
      else if (line.request.warnings.length > 0) warned.add(lineWarning(line, line.request.warnings));
    },
    found: () => ({
      failed: failed.count(),
      warned: warned.count(),
      errors: [...failed.shown, ...warned.shown],
    }),
  };
}

/** Counts all reports and keeps the first ones. */
function createFirst() {
  const shown: LineReport[] = [];
  let count = 0;
  let bytes = 0;
  return {
    shown,
    count: () => count,
    add: (report: LineReport): undefined => {
      count += 1;
      if (shown.length >= shownMax || bytes >= shownBytesMax) return;
      shown.push(report);
      bytes += bytesOf(report);
    },
  };
}
