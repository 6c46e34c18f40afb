import { Schema, type ClientSession, type mongo } from 'mongoose';
import { dueFrom, type Due } from '../../core/due.ts';
import type { AccountId, EndpointId } from '../../core/ids.ts';
import { defineCollection, rowsOf, type StoreConnection } from '../database/connection.ts';
import { listRecentAttempts } from '../deliveries/delivery-attempts.ts';
import { deliveryRows } from '../deliveries/deliveries.ts';
import { indexDueRows } from '../dispatch/due-rows.ts';

/**
 * A target whose deliveries fail or wait. The row exists from the first sign of trouble until the target is enabled and
 * has received all it missed, or is deleted. Meanwhile a workflow shows it to operators
 * (workflows/webhooks/receiver-trouble.ts).
 */
export interface TroubleRow {
  /** Key of the target, as in deliveries. */
  readonly _id: string;
  readonly accountId: AccountId;
  /** null for the account-level URL. */
  readonly endpointId: EndpointId | null;
  readonly since: Date;
  readonly due: Due;
}

const schema = new Schema(
  { _id: String, accountId: String, endpointId: String, since: Date, due: {} },
  { versionKey: false, strict: 'throw' },
);
indexDueRows(schema, 'receivers');
// For operators: over all accounts, or for one.
schema.index({ since: 1 });
schema.index({ accountId: 1, since: 1 });
const model = defineCollection<TroubleRow>('receivers_in_trouble', schema);
const rows = (store: StoreConnection): mongo.Collection<TroubleRow> => rowsOf(model(store));

/** Has the target's workflow look at it at once. An existing row keeps its beginning. */
export async function noteTrouble(
  store: StoreConnection,
  { target, accountId, endpointId }: { target: string; accountId: AccountId; endpointId: EndpointId | null },
  { now, session }: { readonly now: Date; readonly session?: ClientSession },
): Promise<void> {
  await rows(store).updateOne(
    { _id: target },
    { $set: { due: dueFrom('workflow', now) }, $setOnInsert: { accountId, endpointId, since: now } },
    { upsert: true, ...(session !== undefined && { session }) },
  );
}

/** Has the target's workflow look at it at once. Returns false, and stores nothing, when the target is not in trouble. */
export async function hurryTrouble(
  store: StoreConnection,
  target: string,
  { now, session }: { readonly now: Date; readonly session?: ClientSession },
): Promise<boolean> {
  const change = { $set: { due: dueFrom('workflow', now) } };
  const result = await rows(store).updateOne({ _id: target }, change, { ...(session !== undefined && { session }) });
  return result.matchedCount === 1;
}

/** The target's row; null when it is not in trouble. */
export const findTrouble = (store: StoreConnection, target: string): Promise<TroubleRow | null> =>
  rows(store).findOne({ _id: target });

/** Targets that have been in trouble since `before` or longer, the longest first. */
export const listTroubles = (
  store: StoreConnection,
  { account, before, limit }: { account?: AccountId | undefined; before: Date; limit: number },
): Promise<TroubleRow[]> =>
  rows(store)
    .find({ since: { $lte: before }, ...(account !== undefined && { accountId: account }) })
    .sort({ since: 1 })
    .limit(limit)
    .toArray();

/** Sets the time of the workflow's next look. Returns false, and changes nothing, when trouble was noted since the read. */
export async function postponeTrouble(store: StoreConnection, row: TroubleRow, at: Date): Promise<boolean> {
  const result = await rows(store).updateOne(asRead(row), { $set: { due: dueFrom('workflow', at) } });
  return result.matchedCount === 1;
}

/** The trouble is over. Returns false when trouble was noted since the row was read. */
export async function endTrouble(store: StoreConnection, row: TroubleRow): Promise<boolean> {
  const result = await rows(store).deleteOne(asRead(row));
  return result.deletedCount === 1;
}

const asRead = ({ _id, due }: TroubleRow) => ({ _id, 'due.at': due.at });

/** The deliveries of a target that are waiting or in progress. */
export interface QueueState {
  /** Deliveries of new events whose first attempt has not ended; counted up to 10,000. */
  readonly waiting: number;
  readonly oldestAt: Date | null;
  /** Deliveries between two attempts, and requested ones (redeliveries, recoveries, tests); counted up to 10,000. */
  readonly retrying: number;
  /** When the first of these is retried; null when it was not tried yet. */
  readonly nextAttemptAt: Date | null;
  /** Error of its newest failed attempt. */
  readonly lastError: string | null;
}

const countMax = 10_000;

/** Counts the open deliveries of a row's target, and reads the first to come and the last error. */
export async function readLine(
  store: StoreConnection,
  { _id: target, accountId, endpointId }: TroubleRow,
): Promise<QueueState> {
  const deliveries = deliveryRows(store);
  const untried = { 'due.by': 'worker', target } as const;
  const tried = { 'due.by': 'workflow', target } as const;
  const soonest = { sort: { 'due.at': 1 }, projection: { createdAt: 1, retryAt: 1 } } as const;
  const [waiting, oldest, retrying, next, [failed]] = await Promise.all([
    deliveries.countDocuments(untried, { limit: countMax }),
    deliveries.findOne(untried, soonest),
    deliveries.countDocuments(tried, { limit: countMax }),
    deliveries.findOne(tried, soonest),
    listRecentAttempts(store, accountId, { filter: { endpointId, status: 'failed' }, rowsMax: 1 }),
  ]);
  return {
    waiting,
    oldestAt: oldest?.createdAt ?? null,
    retrying,
    nextAttemptAt: next?.retryAt ?? null,
    lastError: failed?.errorMessage ?? null,
  };
}
