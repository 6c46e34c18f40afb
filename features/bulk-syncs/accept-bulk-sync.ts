import { auditBy, type AuditEntry } from '../accounts/rules/audit-entry.ts';
import { unfinishedMax, uploadLimits, type BulkMode, type BulkSync, type LeftOutMode } from './rules/bulk-sync.ts';
import { Refusal } from '../rules/errors.ts';
import { problem } from '../rules/field-problems.ts';
import { bulkSyncId, type BulkSyncId } from '../rules/ids.ts';
import type { Scope } from '../rules/scope.ts';
import { validationFailed } from '../../schemas/compile-schema.ts';
import { deleteChunks, deleteErrors, keepChunks } from './store/bulk-chunks.ts';
import { deleteIds } from './store/snapshot-external-ids.ts';
import {
  bulkKeptMs,
  findBulkSync,
  findUnfinishedSlots,
  hasLinesToApply,
  insertBulkSync,
  isSnapshotRunning,
} from './store/bulk-syncs.ts';
import { untilWon } from '../../platform/concurrency/until-won.ts';
import { readDatabaseTime, type StoreConnection } from '../../platform/database/connection.ts';
import type { Context } from '../context.ts';
import { createUploadWriter, type UploadWriter } from './upload-writer.ts';
import { readUpload, type UploadBody } from './read-upload.ts';
import { refuseTooMany, storeRemovals } from './store-removals.ts';

export type AcceptContext = Pick<
  Context,
  'store' | 'logger' | 'hints' | 'confirmCredential' | 'uploadLimits' | 'now' | 'newId'
>;

export interface BulkWish {
  readonly mode: BulkMode;
  readonly leftOut: LeftOutMode;
  /** A snapshot may take down more than half of the items. */
  readonly isConfirmed: boolean;
  readonly body: UploadBody;
}

/**
 * Accepts an upload. Its lines are stored in chunks while they arrive, then one write accepts them all. So an upload that breaks
 * off has no effect (protocol 19). Throws {@link Refusal} as readUpload and storeRemovals do, and what confirmCredential throws.
 * CONFLICT means too many unfinished bulk syncs or a second snapshot. A refused upload has no effect.
 */
export async function acceptBulkSync(context: AcceptContext, scope: Scope, wish: BulkWish): Promise<BulkSync> {
  const { store, hints, newId } = context;
  const id = bulkSyncId(newId());
  const earlier = await findBulkSync(store, id);
  if (earlier !== null) return sameUpload(earlier, scope, wish);
  // Checked again at acceptance. This early check saves a caller from sending a whole upload that can't be accepted.
  await requireSlot(store, scope, wish.mode);
  const upload = await storeUpload(context, scope, { ...wish, id, uploadId: newId() });
  const bulk = await closeUpload(context, scope, upload);
  hints.bulkSyncSoon({ bulkId: bulk.id, accountId: bulk.actingAccountId });
  if (wish.mode === 'snapshot') await forgetIds(context, upload.bulk.uploadId);
  return bulk;
}

/** An earlier or parallel attempt at the same call was accepted. The same key with another body is a mistake of the caller. */
async function sameUpload(earlier: BulkSync, scope: Scope, wish: BulkWish): Promise<BulkSync> {
  await wish.body.drain();
  if (digestOf(scope, wish) === earlier.requestDigest) return earlier;
  throw otherRequest();
}

/** Covers the whole body, the query and the account. */
const digestOf = ({ accountId }: Scope, { mode, leftOut, isConfirmed, body }: BulkWish): string =>
  [body.digest(), mode, leftOut, isConfirmed ? 'confirmed' : 'not-confirmed', accountId].join(' ');

const otherRequest = (): Refusal => validationFailed([problem('Idempotency-Key', 'key_used')]);

/** The ids are no longer needed. The upload is already accepted, so a failure here must not change the answer. */
async function forgetIds({ store, logger }: AcceptContext, uploadId: string): Promise<void> {
  try {
    await deleteIds(store, uploadId);
  } catch (err) {
    logger.warn({ uploadId, err }, 'bulk_sync.not_discarded');
  }
}

interface StoredUpload {
  readonly bulk: Omit<BulkSync, 'acceptedAt'>;
  readonly writer: UploadWriter;
}

/** Stores all data of the bulk sync under its own upload id. A failure leaves nothing behind. */
async function storeUpload(
  context: AcceptContext,
  scope: Scope,
  { id, uploadId, ...wish }: BulkWish & { id: BulkSyncId; uploadId: string },
): Promise<StoredUpload> {
  const { store, logger, now, uploadLimits: limits = uploadLimits } = context;
  const { mode, leftOut, body, isConfirmed } = wish;
  const startedAt = await readDatabaseTime(store);
  const keepsIds = mode === 'snapshot';
  const writer = createUploadWriter({ store, uploadId, now, keepsIds, keepsLines: true });
  try {
    const lines = await readUpload({ store, logger, sink: writer }, scope, { mode, leftOut, body, limits });
    await writer.finish();
    if (keepsIds) {
      await refuseTooMany(store, { accountId: scope.accountId, uploadId, startedAt, isConfirmed });
      await storeRemovals({ store, now, writer }, { accountId: scope.accountId, uploadId, startedAt });
    }
    const { accountId, actingAccountId, credential, requestId = null } = scope;
    const whose = { accountId, actingAccountId, credential, requestId };
    const counts = {
      created: 0,
      updated: 0,
      unchanged: 0,
      failed: writer.failed(),
      warned: 0,
      removed: 0,
      leftOutFields: {},
    };
    const about = {
      id,
      uploadId,
      mode,
      leftOut,
      startedAt,
      ...lines,
      requestDigest: digestOf(scope, wish),
    };
    return { bulk: { ...about, ...whose, ...counts, state: 'running', stoppedBy: null, completedAt: null }, writer };
  } catch (error) {
    await discard(context, { bulk: { uploadId }, writer });
    throw error;
  }
}

/** Longer than any bulk sync takes, even when all workers are down for days. */
const acceptedKeptMs = bulkKeptMs + 10 * 86_400_000;

/** Each round that is lost was won by another upload of the account. */
const roundsMax = 2 * unfinishedMax;

async function closeUpload(context: AcceptContext, scope: Scope, upload: StoredUpload): Promise<BulkSync> {
  try {
    // Set before acceptance: chunks of an accepted upload must never expire, even when this process dies right after the write.
    await keepChunks(context.store, upload.bulk.uploadId, new Date(context.now().getTime() + acceptedKeptMs));
    const closed = await untilWon(() => tryToClose(context, scope, upload), { rounds: roundsMax });
    if (closed !== null) return closed;
    throw new Refusal('CONFLICT', 'Too many bulk syncs are being accepted at once', { retryAfterSeconds: 1 });
  } catch (error) {
    // After any other failure the write may have taken effect. If it did not, the chunks expire by themselves.
    if (error instanceof Refusal) await discard(context, upload);
    throw error;
  }
}

/** null when another upload took its slot. */
async function tryToClose(context: AcceptContext, scope: Scope, upload: StoredUpload): Promise<BulkSync | null> {
  const { store, confirmCredential } = context;
  const { bulk } = upload;
  const slot = await requireSlot(store, scope, bulk.mode);
  await confirmCredential(scope);
  const now = context.now();
  const accepted = await insertBulkSync(store, {
    bulk,
    slot,
    audit: auditOf(scope, bulk, now),
    now,
    ...(bulk.mode === 'snapshot' && { refuseOpenLines: olderLines }),
  });
  if (accepted !== null) return accepted;
  // Another attempt at the same call may have been accepted first, although it was taken for dead.
  const earlier = await findBulkSync(store, bulk.id);
  if (earlier === null) return null;
  if (earlier.requestDigest !== bulk.requestDigest) throw otherRequest();
  await discard(context, upload);
  return earlier;
}

/** Lines of an earlier bulk sync, applied after the snapshot, would restore items that the snapshot removes. */
const olderLines = (): Refusal =>
  new Refusal(
    'CONFLICT',
    'A bulk sync that was accepted earlier has lines of this account to apply; wait until it has ended, or cancel it',
  );

/** Returns the lowest free slot. Throws {@link Refusal} CONFLICT when all slots are taken or a snapshot of the account runs. */
async function requireSlot(store: StoreConnection, scope: Scope, mode: BulkMode): Promise<number> {
  if (mode === 'snapshot') {
    if (await isSnapshotRunning(store, scope.accountId))
      throw new Refusal('CONFLICT', 'A snapshot of this account is running; wait until it has ended, or cancel it');
    if (await hasLinesToApply(store, scope.accountId)) throw olderLines();
  }
  const taken = new Set(await findUnfinishedSlots(store, scope.actingAccountId));
  for (let slot = 0; slot < unfinishedMax; slot += 1) if (!taken.has(slot)) return slot;
  throw new Refusal('CONFLICT', `${unfinishedMax} bulk syncs of this account are unfinished; wait until one has ended`);
}

const auditOf = (scope: Scope, { id, mode, total, failed }: StoredUpload['bulk'], at: Date): AuditEntry => ({
  ...auditBy(scope, {
    kind: 'bulk_sync_accepted',
    at,
    details: { bulkSyncId: id, mode, total, failed, accountId: scope.accountId },
  }),
  accountId: scope.actingAccountId,
});

interface Discarded {
  readonly bulk: { readonly uploadId: string };
  readonly writer: UploadWriter;
}

/** Rows that can't be deleted now expire by themselves. */
async function discard({ store, logger }: AcceptContext, { bulk: { uploadId }, writer }: Discarded): Promise<void> {
  await writer.allWritten();
  const parts = [deleteChunks(store, uploadId), deleteErrors(store, uploadId), deleteIds(store, uploadId)];
  for (const outcome of await Promise.allSettled(parts))
    if (outcome.status === 'rejected') logger.warn({ uploadId, err: outcome.reason }, 'bulk_sync.not_discarded');
}
