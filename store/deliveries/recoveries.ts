import { Schema, type ClientSession } from 'mongoose';
import type { AccountId, RecoveryId } from '../../core/ids.ts';
import { keptMs, type Recovery } from '../../core/webhooks/recovery.ts';
import { defineCollection, type StoreConnection } from '../database/connection.ts';

interface RecoveryRow extends Omit<Recovery, 'id'> {
  readonly _id: RecoveryId;
  /** When the dispatcher checks on its workflow; null when the recovery has ended. */
  readonly nextLookAt: Date | null;
}

const schema = new Schema(
  {
    _id: String,
    accountId: String,
    target: String,
    endpointId: String,
    kind: String,
    since: Date,
    until: Date,
    state: String,
    stoppedBecause: String,
    total: Number,
    sent: Number,
    failed: Number,
    failedInARow: Number,
    failedInARowMax: Number,
    position: new Schema({ eventAt: Date, eventNumber: Number, first: String }, { _id: false }),
    current: String,
    nextLookAt: Date,
    createdAt: Date,
    updatedAt: Date,
  },
  { versionKey: false, strict: 'throw' },
);
// At most one run per target at a time: a second one would send every event twice and out of order.
schema.index({ target: 1 }, { unique: true, partialFilterExpression: { state: 'running' }, name: 'one_running' });
schema.index({ nextLookAt: 1 }, { partialFilterExpression: { state: 'running' } });
schema.index({ target: 1, createdAt: -1 });
schema.index({ createdAt: 1 }, { expireAfterSeconds: keptMs / 1_000 });
const model = defineCollection<RecoveryRow>('webhook_recoveries', schema);

/** Longer than a step takes, so the dispatcher finds only runs whose workflow was lost. */
const lookAfterMs = 60_000;
/** A manual run is started by its caller at once; the dispatcher checks this much later. It starts automatic runs itself. */
const startGraceMs = 2_000;

/** Throws a duplicate key error while another run of the target is unfinished. */
export async function insertRecovery(
  store: StoreConnection,
  recovery: Recovery,
  session: ClientSession,
): Promise<void> {
  const { id, ...rest } = recovery;
  const graceMs = recovery.kind === 'manual' ? startGraceMs : 0;
  const nextLookAt = new Date(recovery.createdAt.getTime() + graceMs);
  await model(store).insertMany([{ ...rest, _id: id, nextLookAt }], { session });
}

export async function findRecovery(
  store: StoreConnection,
  id: RecoveryId,
  session?: ClientSession,
): Promise<Recovery | null> {
  const found = model(store).findOne({ _id: id });
  const row = await found.session(session ?? null).lean<RecoveryRow>();
  return row === null ? null : fromRow(row);
}

export async function findRunning(
  store: StoreConnection,
  target: string,
  session?: ClientSession,
): Promise<Recovery | null> {
  const found = await model(store)
    .findOne({ target, state: 'running' })
    .session(session ?? null)
    .lean<RecoveryRow>();
  return found === null ? null : fromRow(found);
}

/** Writes `next`, or returns false when another process has changed the run since it was read. */
export async function replaceRecovery(
  store: StoreConnection,
  { previous, next, session }: { previous: Recovery; next: Recovery; session: ClientSession },
): Promise<boolean> {
  const { id, ...rest } = next;
  const isRunning = next.state === 'running';
  const nextLookAt = isRunning ? new Date(next.updatedAt.getTime() + lookAfterMs) : null;
  const { sent, failed, current, position } = previous;
  const asRead = { _id: id, state: 'running' as const, sent, failed, current, position };
  const result = await model(store).updateOne(asRead, { $set: { ...rest, nextLookAt } }, { session });
  return result.matchedCount === 1;
}

/** Newest first. */
export async function listRecoveries(
  store: StoreConnection,
  { accountId, target, rowsMax }: { accountId: AccountId; target: string; rowsMax: number },
): Promise<Recovery[]> {
  const rows = await model(store)
    .find({ target, accountId })
    .sort({ createdAt: -1 })
    .limit(rowsMax)
    .lean<RecoveryRow[]>();
  return rows.map(fromRow);
}

/** Claims runs whose check is due. Each is due again a minute later. */
export async function claimNeglected(store: StoreConnection, now: Date, rowsMax: number): Promise<Recovery[]> {
  const recoveries = model(store);
  const rows = await recoveries
    .find({ state: 'running', nextLookAt: { $lte: now } })
    .sort({ nextLookAt: 1 })
    .limit(rowsMax)
    .lean<RecoveryRow[]>();
  if (rows.length > 0) {
    const later = new Date(now.getTime() + lookAfterMs);
    const ids = rows.map((row) => row._id);
    await recoveries.updateMany({ _id: { $in: ids }, state: 'running' }, { $set: { nextLookAt: later } });
  }
  return rows.map(fromRow);
}

/** Returns claims whose workflow could not be started: the runs are due again at `at`. */
export async function releaseNeglected(store: StoreConnection, ids: readonly RecoveryId[], at: Date): Promise<void> {
  await model(store).updateMany({ _id: { $in: [...ids] }, state: 'running' }, { $set: { nextLookAt: at } });
}

const fromRow = ({ _id, nextLookAt: _nextLookAt, ...rest }: RecoveryRow): Recovery => ({ ...rest, id: _id });
