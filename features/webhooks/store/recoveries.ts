import { Schema, type ClientSession } from 'mongoose';
import type { AccountId, RecoveryId } from '../../rules/ids.ts';
import { keptMs, type Recovery } from '../rules/recovery.ts';
import { defineRows, type StoreConnection } from '../../../platform/database/connection.ts';
import type { TargetKey } from './waiting-deliveries.ts';

interface RecoveryRow extends Omit<Recovery, 'id'> {
  readonly _id: RecoveryId;
}

const schema = new Schema();
// At most one run per target at a time: a second one would send every event twice and out of order.
schema.index({ target: 1 }, { unique: true, partialFilterExpression: { state: 'running' }, name: 'one_running' });
schema.index({ target: 1, createdAt: -1 });
schema.index({ createdAt: 1 }, { expireAfterSeconds: keptMs / 1_000 });
const recoveries = defineRows<RecoveryRow>('webhook_recoveries', schema);

/** The workflow of its receiver sends it. Throws a duplicate key error while another run of the target is unfinished. */
export async function insertRecovery(
  store: StoreConnection,
  recovery: Recovery,
  session: ClientSession,
): Promise<void> {
  const { id, ...rest } = recovery;
  await recoveries(store).insertOne({ ...rest, _id: id }, { session });
}

export async function findRecovery(
  store: StoreConnection,
  id: RecoveryId,
  session?: ClientSession,
): Promise<Recovery | null> {
  const row = await recoveries(store).findOne({ _id: id }, { ...(session !== undefined && { session }) });
  return row === null ? null : fromRow(row);
}

export async function findRunning(
  store: StoreConnection,
  { target, accountId }: TargetKey,
  session?: ClientSession,
): Promise<Recovery | null> {
  const options = { ...(session !== undefined && { session }) };
  const found = await recoveries(store).findOne({ target, accountId, state: 'running' }, options);
  return found === null ? null : fromRow(found);
}

/** Writes `next`, or returns false when another process has changed the run since it was read. */
export async function replaceRecovery(
  store: StoreConnection,
  { previous, next, session }: { previous: Recovery; next: Recovery; session: ClientSession },
): Promise<boolean> {
  const { id, ...rest } = next;
  const { sent, failed, current, position } = previous;
  const asRead = { _id: id, state: 'running' as const, sent, failed, current, position };
  const result = await recoveries(store).updateOne(asRead, { $set: rest }, { session });
  return result.matchedCount === 1;
}

/** Newest first. */
export async function listRecoveries(
  store: StoreConnection,
  { accountId, target, rowsMax }: { accountId: AccountId; target: string; rowsMax: number },
): Promise<Recovery[]> {
  const rows = await recoveries(store)
    .find({ target, accountId }, { sort: { createdAt: -1 }, limit: rowsMax })
    .toArray();
  return rows.map(fromRow);
}

const fromRow = ({ _id, ...rest }: RecoveryRow): Recovery => ({ ...rest, id: _id });
