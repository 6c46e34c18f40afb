import type { mongo, Schema } from 'mongoose';
import { retryPauseMs, type Due, type DueBy } from '../../core/due.ts';
import type { AccountId, BulkSyncId } from '../../core/ids.ts';
import type { StoreConnection } from '../database/connection.ts';

/** The rows that owe work by `due`, and whose key takes turns. */
const dueKinds = {
  items: { collection: 'items', key: 'accountId' },
  bulkSyncs: { collection: 'bulk_syncs', key: 'actingAccountId' },
} as const;
type DueKind = keyof typeof dueKinds;

/** Partial, so that rows without work cost nothing. A query uses it when it names `due.by`. */
export function indexDueRows(schema: Schema, kind: DueKind): void {
  schema.index(
    { 'due.by': 1, [dueKinds[kind].key]: 1, 'due.at': 1 },
    { name: 'due', partialFilterExpression: { 'due.by': { $exists: true } } },
  );
}

/** Since when the longest due row of all keys has been due; null when there is none. Reads one index key for each key. */
export async function findOldestDue(store: StoreConnection, kind: DueKind, by: DueBy): Promise<Date | null> {
  const { collection, key } = dueKinds[kind];
  const [oldest] = await store.connection
    .collection(collection)
    .aggregate<{ readonly at: Date }>([
      { $match: { 'due.by': by } },
      { $sort: { [key]: 1, 'due.at': 1 } },
      { $group: { _id: `$${key}`, at: { $first: '$due.at' } } },
      { $group: { _id: null, at: { $min: '$at' } } },
    ])
    .toArray();
  return oldest?.at ?? null;
}

interface BulkRow {
  readonly _id: BulkSyncId;
  readonly actingAccountId: AccountId;
  readonly due: Due | null;
}

const bulkRows = (store: StoreConnection): mongo.Collection<BulkRow> => store.connection.collection('bulk_syncs');

/** A bulk sync whose workflow was not started, or was lost. */
export interface DueBulkSync {
  readonly bulkId: BulkSyncId;
  readonly accountId: AccountId;
}

/** Bulk syncs whose date has passed. Each gets its next date, and is returned, by one process. */
export async function claimDueBulkSyncs(
  store: StoreConnection,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<DueBulkSync[]> {
  const rows = await bulkRows(store)
    .find({ 'due.by': 'workflow', 'due.at': { $lte: now } }, { limit })
    .project<BulkRow>({ actingAccountId: 1, due: 1 })
    .toArray();
  const claimed = await Promise.all(
    rows.map(async ({ _id, actingAccountId, due }) => {
      const tries = due?.tries ?? 0;
      const next = { 'due.at': new Date(now.getTime() + retryPauseMs(tries)), 'due.tries': tries + 1 };
      const asRead = { _id, actingAccountId, 'due.at': due?.at };
      const { modifiedCount } = await bulkRows(store).updateOne(asRead, { $set: next });
      return modifiedCount === 1 ? [{ bulkId: _id, accountId: actingAccountId }] : [];
    }),
  );
  return claimed.flat();
}

/** Those that certainly were not started are due again at that time. */
export async function postponeDueBulkSyncs(
  store: StoreConnection,
  bulks: readonly DueBulkSync[],
  at: Date,
): Promise<void> {
  for (const { bulkId, accountId } of bulks)
    await bulkRows(store).updateOne(
      { _id: bulkId, actingAccountId: accountId, 'due.by': 'workflow' },
      { $set: { 'due.at': at, 'due.tries': 0 } },
    );
}
