import { auditBy } from '../../core/audit/audit-entry.ts';
import type { BulkState } from '../../core/bulk-syncs/bulk-sync.ts';
import type { BulkSyncId } from '../../core/ids.ts';
import type { Scope } from '../../core/scope.ts';
import { beginCancelling } from '../../store/bulk-syncs/bulk-syncs.ts';
import { dueLine } from '../../store/dispatch/due-rows.ts';
import type { Context } from '../context.ts';
import { requireBulkSync } from './require-bulk-sync.ts';

type Needs = Pick<Context, 'store' | 'ring' | 'confirmCredential' | 'now'>;

/**
 * Cancels a bulk sync: chunks that have not begun are not applied any more. The workflow sets `cancelled` once no chunk is under
 * way. A bulk sync that has ended or is being cancelled does not change. Throws Refusal NOT_FOUND.
 */
export async function cancelBulkSync(
  { store, ring, confirmCredential, now }: Needs,
  scope: Scope,
  id: BulkSyncId,
): Promise<{ id: string; state: BulkState }> {
  const bulk = await requireBulkSync(store, scope, id);
  if (bulk.state !== 'running') return { id, state: bulk.state };
  await confirmCredential(scope);
  const at = now();
  const audit = {
    ...auditBy(scope, {
      ...{ kind: 'bulk_sync_cancelled', at },
      details: { bulkSyncId: id, mode: bulk.mode, total: bulk.total },
    }),
    accountId: scope.actingAccountId,
  };
  const state = await beginCancelling(store, bulk, { audit, now: at });
  if (state === null) return { id, state: (await requireBulkSync(store, scope, id)).state };
  ring(dueLine('bulkSyncs', 'workflow', bulk.actingAccountId));
  return { id, state };
}
