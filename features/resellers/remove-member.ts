import type { AuditEntry } from '../accounts/rules/audit-entry.ts';
import { Refusal } from '../rules/errors.ts';
import type { AccountId } from '../rules/ids.ts';
import type { Scope } from '../rules/scope.ts';
import type { MemberConnectionRow } from './store/member-connections.ts';
import { endJoinRequest, leaveReseller } from './store/memberships.ts';
import type { Context } from '../context.ts';
import { inBothLogs, resellerBy } from './both-logs.ts';
import { requestEndedEntries } from './join-requests.ts';

/**
 * A reseller ends the membership of an account, or declines its request to become a member. The account may join or ask again.
 * Throws {@link Refusal} NOT_FOUND when the account is neither.
 */
export async function removeMember(
  context: Pick<Context, 'store' | 'confirmCredential' | 'now'>,
  scope: Scope,
  member: AccountId,
): Promise<void> {
  const { store, confirmCredential, now } = context;
  const reseller = scope.actingAccountId;
  await confirmCredential(scope);
  const declined = await endJoinRequest(store, member, {
    reseller,
    audit: (ended) => requestEndedEntries(resellerBy(scope), ended, now()),
  });
  if (declined) return;
  await leaveReseller(store, member, {
    now,
    requireLeavable: (of) => {
      if (of !== reseller) throw new Refusal('NOT_FOUND', 'No connected member with this id');
    },
    audit: (connection, at) => removalEntries(scope, connection, at),
  });
}

function removalEntries(scope: Scope, row: MemberConnectionRow, at: Date): AuditEntry[] {
  const { memberAccountId, resellerAccountId, externalId } = row;
  const kind = 'member_removed';
  return inBothLogs(resellerBy(scope), {
    memberAccountId,
    resellerAccountId,
    at,
    toMember: { kind, details: { resellerUserId: resellerAccountId } },
    toReseller: { kind, details: { memberUserId: memberAccountId, externalId } },
  });
}
