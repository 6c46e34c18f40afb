import { runExclusive } from '../accounts/accounts.ts';
import type { AuditEntry } from '../../core/audit/audit-entry.ts';
import type { AccountId } from '../../core/ids.ts';
import { recordAudits } from '../accounts/audit.ts';
import type { StoreConnection } from '../database/connection.ts';
import { endCurrentDeal, endMemberDeals, findCurrentDeal } from './deals.ts';
import { allConnectionsOf, removeConnections, type MemberConnectionRow } from './member-connections.ts';
import { inTransaction } from '../database/transaction.ts';

/**
 * Ends a reseller_agreement, its memberships and the deals of its members in one transaction, so that no membership exists
 * without an agreement. Returns the former members, or `no_agreement` when there is no agreement to end. `audit` makes the log
 * entries. `now` is read when the transaction has its turn.
 */
export function endAgreement(
  store: StoreConnection,
  reseller: AccountId,
  how: { now: () => Date; audit: (members: readonly MemberConnectionRow[], at: Date) => readonly AuditEntry[] },
): Promise<readonly MemberConnectionRow[] | 'no_agreement'> {
  return inTransaction(store, async (session) => {
    // A joining account takes the same turn (memberships.ts).
    await runExclusive(store, reseller, session);
    const inForce = await findCurrentDeal(store, reseller, session);
    if (inForce?.kind !== 'reseller_agreement') return 'no_agreement';
    const members = await allConnectionsOf(store, reseller, session);
    const memberIds = members.map(({ memberAccountId }) => memberAccountId);
    const at = how.now();
    await endCurrentDeal(store, reseller, { at, session });
    await endMemberDeals(store, reseller, { members: memberIds, at, session });
    await removeConnections(store, reseller, session);
    await recordAudits(store, how.audit(members, at), session);
    return members;
  });
}
