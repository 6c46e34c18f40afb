import { retryPauseMs } from '../../rules/backoff.ts';
import type { AccountId, BulkSyncId } from '../../rules/ids.ts';
import { claimEach } from '../../../platform/database/claim-row.ts';
import { rowsOf, type StoreConnection } from '../../../platform/database/connection.ts';
import { bulkSyncs, unfinished } from './bulk-syncs.ts';

/** A bulk sync whose workflow was not started, or was lost. */
export interface OwedBulkSync {
  readonly bulkId: BulkSyncId;
  readonly accountId: AccountId;
}

/** Bulk syncs whose date has passed. Each gets its next date, and is returned, by one process. */
export async function claimOwedBulkSyncs(
  store: StoreConnection,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<OwedBulkSync[]> {
  const bulks = rowsOf(bulkSyncs(store));
  const owed = { startAt: { ...unfinished.startAt, $lte: now } };
  const rows = await bulks.find(owed, { limit, projection: { actingAccountId: 1, startAt: 1, starts: 1 } }).toArray();
  const claimed = await claimEach(rows, ({ _id, actingAccountId, startAt, starts }, options) => {
    const next = { startAt: new Date(now.getTime() + retryPauseMs(starts)), starts: starts + 1 };
    return bulks.updateOne({ _id, actingAccountId, startAt }, { $set: next }, options);
  });
  return claimed.map(({ _id, actingAccountId }) => ({ bulkId: _id, accountId: actingAccountId }));
}

/** Those that certainly were not started are due again at that time. */
export async function postponeOwedBulkSyncs(
  store: StoreConnection,
  owed: readonly OwedBulkSync[],
  at: Date,
): Promise<void> {
  for (const { bulkId, accountId } of owed)
    await rowsOf(bulkSyncs(store)).updateOne(
      { _id: bulkId, actingAccountId: accountId, ...unfinished },
      { $set: { startAt: at, starts: 0 } },
    );
}
