import { auditBy } from '../../core/audit/audit-by.ts';
import type { Scope } from '../../core/scope.ts';
import { recordAudit } from '../../store/accounts/audit.ts';
import { removeMarketplaceConnection as removeRow } from '../../store/marketplace/marketplace-connections.ts';
import { inTransaction } from '../../store/database/transaction.ts';
import type { Context } from '../context.ts';

/** Forgets the token. Succeeds when nothing was connected. */
export function removeMarketplaceConnection(
  { store, confirmCredential, now }: Pick<Context, 'store' | 'confirmCredential' | 'now'>,
  scope: Scope,
): Promise<void> {
  const at = now();
  const message = 'The connection to the marketplace was removed and its token forgotten';
  return inTransaction(store, async (session) => {
    await confirmCredential(scope);
    if (await removeRow(store, scope.actingAccountId, { now: at, session }))
      await recordAudit(store, auditBy(scope, { kind: 'marketplace_removed', message, at }), session);
  });
}
