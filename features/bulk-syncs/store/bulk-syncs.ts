import { Schema, type ClientSession } from 'mongoose';
import type { AuditEntry } from '../../accounts/rules/audit-entry.ts';
import type { BulkCounts, BulkState, BulkSync, LeftOutCounts, SenderStop } from '../rules/bulk-sync.ts';
import type { AccountId, BulkSyncId } from '../../rules/ids.ts';
import { recordAudit } from '../../accounts/store/audit.ts';
import {
  defineCollection,
  isDuplicateKey,
  rowsOf,
  type StoreConnection,
} from '../../../platform/database/connection.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { findOpenUploads } from './bulk-chunks.ts';

/** Rows that an earlier version accepted have none of these. */
type LaterFields = 'remarks' | 'leftOut' | 'leftOutFields';

interface BulkSyncRow extends Omit<BulkSync, 'id' | LaterFields>, Partial<Pick<BulkSync, LaterFields>> {
  readonly _id: BulkSyncId;
  /** The lowest free slot of the account, from 0; null when the bulk sync has ended. */
  readonly slot: number | null;
  /** The account of an unfinished snapshot; null otherwise. */
  readonly snapshotOf: AccountId | null;
  /** When a relay checks its workflow; null when the bulk sync has ended. */
  readonly startAt: Date | null;
  /** How often in a row a relay has started its workflow. */
  readonly starts: number;
  readonly purgeAt: Date | null;
}

const schema = new Schema(
  {
    _id: String,
    actingAccountId: String,
    accountId: String,
    uploadId: String,
    requestDigest: String,
    credential: {},
    requestId: String,
    mode: String,
    state: String,
    stoppedBy: String,
    total: Number,
    repeated: Number,
    created: Number,
    updated: Number,
    unchanged: Number,
    failed: Number,
    warned: Number,
    removed: Number,
    remarks: [],
    leftOut: String,
    leftOutFields: {},
    startedAt: Date,
    acceptedAt: Date,
    completedAt: Date,
    slot: Number,
    snapshotOf: String,
    startAt: Date,
    starts: Number,
    purgeAt: Date,
  },
  { versionKey: false, strict: 'throw', minimize: false },
);
// An account never has more unfinished bulk syncs than slots, even when several are accepted at the same time.
schema.index({ actingAccountId: 1, slot: 1 }, { unique: true, partialFilterExpression: { slot: { $gte: 0 } } });
// Two concurrent snapshots of an account would each take down the items that only the other one has.
schema.index({ snapshotOf: 1 }, { unique: true, partialFilterExpression: { snapshotOf: { $type: 'string' } } });
schema.index({ startAt: 1 }, { partialFilterExpression: { startAt: { $type: 'date' } } });
schema.index({ actingAccountId: 1, acceptedAt: -1 });
schema.index({ purgeAt: 1 }, { expireAfterSeconds: 0, partialFilterExpression: { purgeAt: { $type: 'date' } } });
/** An unfinished bulk sync has a date, by an index that holds no other rows. */
export const unfinished = { startAt: { $type: 'date' } } as const;
export const bulkSyncs = defineCollection<BulkSyncRow>('bulk_syncs', schema);

/** Rows and their errors are kept for 30 days after the end. */
export const bulkKeptMs = 30 * 86_400_000;
/** Longer than a chunk takes, so a relay finds only bulk syncs whose workflow was lost. */
const lookAfterMs = 60_000;

/** A majority read, because callers may be promised what it returns. */
export async function findBulkSync(store: StoreConnection, id: BulkSyncId): Promise<BulkSync | null> {
  const row = await bulkSyncs(store).findById(id).lean<BulkSyncRow>();
  return row === null ? null : fromRow(row);
}

/** Newest first. */
export async function listBulkSyncs(
  store: StoreConnection,
  actingAccountId: AccountId,
  { rowsMax, sentFor }: { rowsMax: number; sentFor?: AccountId | undefined },
): Promise<BulkSync[]> {
  const rows = await bulkSyncs(store)
    .find({ actingAccountId, ...(sentFor !== undefined && { accountId: sentFor }) })
    .sort({ acceptedAt: -1 })
    .limit(rowsMax)
    .lean<BulkSyncRow[]>();
  return rows.map(fromRow);
}

/** The slots that the account's unfinished bulk syncs hold. */
export async function findUnfinishedSlots(store: StoreConnection, actingAccountId: AccountId): Promise<number[]> {
  const rows = await bulkSyncs(store)
    .find({ actingAccountId, slot: { $gte: 0 } }, { slot: 1 })
    .lean<Pick<BulkSyncRow, 'slot'>[]>();
  return rows.flatMap(({ slot }) => (slot === null ? [] : [slot]));
}

/** Whether a snapshot of the account is unfinished. */
export async function isSnapshotRunning(store: StoreConnection, accountId: AccountId): Promise<boolean> {
  return (await bulkSyncs(store).exists({ snapshotOf: accountId })) !== null;
}

/** Whether an accepted bulk sync of any sender has lines of the account that are not applied yet. */
export async function hasLinesToApply(
  store: StoreConnection,
  accountId: AccountId,
  session?: ClientSession,
): Promise<boolean> {
  const uploadIds = await findOpenUploads(store, accountId, session);
  // This index holds only unfinished bulk syncs.
  const open = { ...unfinished, uploadId: { $in: uploadIds } };
  const options = { projection: { _id: 1 }, ...(session !== undefined && { session }) };
  return (await rowsOf(bulkSyncs(store)).findOne(open, options)) !== null;
}

export interface ClosingWrite {
  readonly bulk: Omit<BulkSync, 'acceptedAt'>;
  readonly slot: number;
  readonly audit: AuditEntry;
  readonly now: Date;
  /**
   * Makes the error to throw, without effect, when {@link hasLinesToApply} is true. Left out: open lines are allowed.
   */
  readonly refuseOpenLines?: () => Error;
}

/**
 * The write that closes an upload. Returns the accepted bulk sync, dated by the database's clock; null when another upload has
 * taken its slot, its snapshot or its id.
 */
export async function insertBulkSync(
  store: StoreConnection,
  { bulk, slot, audit, now, refuseOpenLines }: ClosingWrite,
): Promise<BulkSync | null> {
  const { id, ...rest } = bulk;
  const row = {
    ...rest,
    _id: id,
    slot,
    acceptedAt: now,
    purgeAt: null,
    snapshotOf: bulk.mode === 'snapshot' ? bulk.accountId : null,
    startAt: now,
    starts: 0,
  };
  try {
    const stamped = await inTransaction(store, async (session) => {
      if (refuseOpenLines !== undefined && (await hasLinesToApply(store, bulk.accountId, session)))
        throw refuseOpenLines();
      await bulkSyncs(store).insertMany([row], { session });
      await recordAudit(store, audit, session);
      return bulkSyncs(store)
        .findOneAndUpdate({ _id: id }, { $currentDate: { acceptedAt: true } }, { session, returnDocument: 'after' })
        .lean<BulkSyncRow>();
    });
    if (stamped === null) throw new Error('a row that was just written is not there');
    return fromRow(stamped);
  } catch (error) {
    if (isDuplicateKey(error)) return null;
    throw error;
  }
}

/** Raises the counts, in the transaction that closes a chunk, and stores why the sender was stopped. */
export async function raiseCounts(
  store: StoreConnection,
  bulk: Pick<BulkSync, 'id'>,
  { counts, leftOut, now, session, stoppedBy }: CountedChunk,
): Promise<void> {
  const startAt = new Date(now.getTime() + lookAfterMs);
  const set = { startAt, starts: 0, ...(stoppedBy !== undefined && { stoppedBy }) };
  const fields = Object.entries(leftOut).map(([field, lines]) => [`leftOutFields.${keyOf(field)}`, lines] as const);
  const raised = { ...counts, ...Object.fromEntries(fields) };
  await bulkSyncs(store).updateOne({ _id: bulk.id }, { $inc: raised, $set: set }, { session });
}

/** A point in a key would mean a field of a field. */
const keyOf = (field: string): string => field.replaceAll('.', '/');
const fieldOf = (key: string): string => key.replaceAll('/', '.');

interface CountedChunk {
  readonly counts: BulkCounts;
  readonly leftOut: LeftOutCounts;
  readonly now: Date;
  readonly session: ClientSession;
  readonly stoppedBy?: SenderStop | undefined;
}

/** Returns the new state; null when there is no such bulk sync, or it has ended. */
export async function beginCancelling(
  store: StoreConnection,
  bulk: Pick<BulkSync, 'id'>,
  { audit, now }: { audit: AuditEntry; now: Date },
): Promise<BulkState | null> {
  return inTransaction(store, async (session) => {
    const result = await bulkSyncs(store).updateOne(
      { _id: bulk.id, state: 'running' },
      // Due now, so that a lost workflow is found at once.
      { $set: { state: 'cancelling', startAt: now, starts: 0 } },
      { session },
    );
    if (result.matchedCount === 0) return null;
    await recordAudit(store, audit, session);
    return 'cancelling';
  });
}

/** Ends the bulk sync when no work is left. */
export async function closeBulkSync(store: StoreConnection, { id }: Pick<BulkSync, 'id'>, now: Date): Promise<void> {
  const ended = {
    slot: null,
    snapshotOf: null,
    startAt: null,
    starts: 0,
    completedAt: now,
    purgeAt: new Date(now.getTime() + bulkKeptMs),
  };
  // One of the two updates matches; a stopped or cancelled bulk sync matches the second.
  const isWhole = { _id: id, state: 'running', stoppedBy: null } as const;
  await bulkSyncs(store).updateOne(isWhole, { $set: { ...ended, state: 'completed' } });
  const isCut = { _id: id, state: { $in: ['running', 'cancelling'] } } as const;
  await bulkSyncs(store).updateOne(isCut, { $set: { ...ended, state: 'cancelled' } });
}

/** Bulk syncs of one account or all, accepted until `before` and not ended yet, the oldest first. */
export async function listUnfinishedBulkSyncs(
  store: StoreConnection,
  { account, before, limit }: { account?: AccountId | undefined; before: Date; limit: number },
): Promise<BulkSync[]> {
  const rows = await bulkSyncs(store)
    .find({
      // This index holds only unfinished bulk syncs.
      ...unfinished,
      acceptedAt: { $lte: before },
      ...(account !== undefined && { actingAccountId: account }),
    })
    .sort({ acceptedAt: 1 })
    .limit(limit)
    .lean<BulkSyncRow[]>();
  return rows.map(fromRow);
}

const fromRow = ({
  _id,
  slot: _slot,
  snapshotOf: _snapshotOf,
  startAt: _startAt,
  starts: _starts,
  purgeAt: _purgeAt,
  remarks = [],
  leftOut = 'empty',
  leftOutFields = {},
  ...rest
}: BulkSyncRow): BulkSync => ({
  ...rest,
  id: _id,
  remarks,
  leftOut,
  leftOutFields: Object.fromEntries(Object.entries(leftOutFields).map(([key, lines]) => [fieldOf(key), lines])),
});

const onlyId = { projection: { _id: 1 } } as const;

/** A bulk sync whose chunk is about to be applied. */
export interface LaterBulk {
  readonly bulkId: BulkSyncId;
  readonly acceptedAt: Date;
  /** The account whose items the chunk changes. */
  readonly accountId: AccountId;
}

/** Whether another bulk sync of any sender was accepted before this one and may still write items of the account. */
export async function hasOlderBulk(
  store: StoreConnection,
  { bulkId, acceptedAt, accountId }: LaterBulk,
): Promise<boolean> {
  const uploadIds = await findOpenUploads(store, accountId);
  // Two are needed, because the chunk's own upload is among them.
  if (uploadIds.length < 2) return false;
  // This index holds only unfinished bulk syncs.
  const older = { ...unfinished, acceptedAt: { $lte: acceptedAt }, _id: { $ne: bulkId } };
  const found = await rowsOf(bulkSyncs(store)).findOne({ ...older, uploadId: { $in: uploadIds } }, onlyId);
  return found !== null;
}
