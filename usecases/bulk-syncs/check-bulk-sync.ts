import { randomUUID } from 'node:crypto';
import { lineError, type LineError } from '../../core/bulk-syncs/line-error.ts';
import { uploadLimits } from '../../core/bulk-syncs/upload-limits.ts';
import { Refusal } from '../../core/errors.ts';
import type { Scope } from '../../core/scope.ts';
import { readLineRequest } from '../../schemas/bulk-syncs/read-line.ts';
import { bytesOf } from '../../store/bulk-errors.ts';
import { deleteIds } from '../../store/bulk-ids.ts';
import { readDatabaseTime } from '../../store/bulk-syncs.ts';
import type { AcceptContext, BulkWish } from './accept-bulk-sync.ts';
import { createChunkWriter } from './chunk-writer.ts';
import { readUpload, type LineSink, type PlacedLine } from './read-upload.ts';
import { refuseTooMany } from './store-removals.ts';

export interface BulkCheck {
  readonly total: number;
  readonly failed: number;
  readonly removed: number;
  readonly errors: readonly LineError[];
}

const errorsMax = 100;
/** Further ones are counted only, as those beyond the first 100 are. */
const errorBytesMax = 1024 * 1024;

/**
 * Reads an upload and checks its lines as far as their content tells, without any effect. Throws {@link Refusal} as
 * acceptBulkSync, but not because of other bulk syncs.
 */
export async function checkBulkSync(context: AcceptContext, scope: Scope, wish: BulkWish): Promise<BulkCheck> {
  const { store, now, limits = uploadLimits, confirmCredential } = context;
  const { mode, body, isConfirmed } = wish;
  const { accountId } = scope;
  const uploadId = randomUUID();
  const startedAt = await readDatabaseTime(store);
  const isSnapshot = mode === 'snapshot';
  const ids = createChunkWriter({ store, uploadId, now, keepsIds: isSnapshot, keepsLines: false });
  const checker = createChecker();
  const sink: LineSink = {
    take: (line) => {
      checker.take(line);
      return isSnapshot ? ids.take(line) : undefined;
    },
    fail: checker.fail,
  };
  try {
    const total = await readUpload({ store, sink }, scope, { mode, body, limits });
    await ids.finish();
    const { removed } = isSnapshot
      ? await refuseTooMany(store, { accountId, uploadId, startedAt, isConfirmed })
      : { removed: 0 };
    await confirmCredential(scope);
    return { total, removed, ...checker.found() };
  } finally {
    await ids.settle();
    if (isSnapshot) await deleteIds(store, uploadId);
  }
}

function createChecker() {
  const errors: LineError[] = [];
  let failed = 0;
  let bytes = 0;
  const fail = (error: LineError): undefined => {
    failed += 1;
    if (errors.length >= errorsMax || bytes >= errorBytesMax) return;
    errors.push(error);
    bytes += bytesOf(error);
  };
  return {
    fail,
    take: (line: PlacedLine): void => {
      try {
        readLineRequest(line);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        fail(lineError(line, error));
      }
    },
    found: () => ({ failed, errors }),
  };
}
