import type { Scope } from '../../core/scope.ts';
import { removeMarketplaceConnection as removeRow } from '../../store/marketplace-connections.ts';
import type { AccountSideContext } from '../account-side-context.ts';

/** Forgets the token. Succeeds when nothing was connected. */
export function removeMarketplaceConnection(
  context: Pick<AccountSideContext, 'store' | 'now'>,
  scope: Scope,
): Promise<void> {
  return removeRow(context.store, scope.actingAccountId, context.now());
}
