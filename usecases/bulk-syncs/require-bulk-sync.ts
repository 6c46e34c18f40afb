import type { BulkSync } from '../../core/bulk-syncs/bulk-sync.ts';
import { Refusal } from '../../core/errors.ts';
import type { BulkSyncId } from '../../core/ids.ts';
import type { Scope } from '../../core/scope.ts';
import { findBulkSync } from '../../store/bulk-syncs/bulk-syncs.ts';
import type { StoreConnection } from '../../store/database/connection.ts';

/**
 * Returns a bulk sync of the credential's account, whatever member it was sent for. A session that acts for a member only sees
 * those sent for that member. Throws {@link Refusal} NOT_FOUND, also for a bulk sync of another account.
 */
export async function requireBulkSync(
  store: StoreConnection,
  { accountId, actingAccountId, credential }: Scope,
  id: BulkSyncId,
): Promise<BulkSync> {
  const bulk = await findBulkSync(store, id);
  const isAbout = accountId === actingAccountId || credential.kind !== 'session' || bulk?.accountId === accountId;
  if (bulk?.actingAccountId === actingAccountId && isAbout) return bulk;
  throw new Refusal('NOT_FOUND', 'There is no bulk sync with this id');
}
