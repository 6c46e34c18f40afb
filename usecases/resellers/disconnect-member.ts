import type { Scope } from '../../core/scope.ts';
import { leaveReseller } from '../../store/memberships.ts';
import type { AccountSideContext } from '../account-side-context.ts';

/** The member leaves its reseller, or nothing happens. Items, marketplace connection and paid deals stay as they are. */
export function disconnectMember(context: Pick<AccountSideContext, 'store' | 'now'>, scope: Scope): Promise<void> {
  return leaveReseller(context.store, scope.actingAccountId, context.now());
}
