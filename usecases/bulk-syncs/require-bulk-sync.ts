import type { BulkSync } from '../../core/bulk-syncs/bulk-sync.ts';
import { Refusal } from '../../core/errors.ts';
import type { BulkSyncId } from '../../core/ids.ts';
import type { Scope } from '../../core/scope.ts';
import { findBulkSync } from '../../store/bulk-syncs/bulk-syncs.ts';
import type { StoreConnection } from '../../store/database/connection.ts';

/**
 * Of the account that the credential belongs to, whomever it acted for; a session that turns to a member sees what was sent for
 * that one alone. Throws {@link Refusal} NOT_FOUND, also for another's.
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
