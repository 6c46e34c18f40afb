import { auditBy } from '../../core/audit/audit-by.ts';
import type { AuditEntry } from '../../core/audit/audit-entry.ts';
import type { Scope } from '../../core/scope.ts';
import type { MemberConnectionRow } from '../../store/resellers/member-connections.ts';
import { leaveReseller } from '../../store/resellers/memberships.ts';
import type { Context } from '../context.ts';
import { requireShown } from './require-shown.ts';

/**
 * The member leaves its reseller, or nothing happens. Items, marketplace connection and paid deals stay as they are. `expected` is
 * the user id of the reseller that somebody was shown: throws {@link Refusal} CONFLICT for the member of another one.
 */
export async function disconnectMember(
  context: Pick<Context, 'store' | 'confirmCredential' | 'now'>,
  scope: Scope,
  expected?: string,
): Promise<void> {
  await context.confirmCredential(scope);
  return leaveReseller(context.store, scope.actingAccountId, {
    now: context.now,
    requireLeavable: (reseller) => {
      if (expected !== undefined) requireShown(reseller, expected);
    },
    audit: (connection, at) => leaveEntries(scope, connection, at),
  });
}

function leaveEntries(scope: Scope, row: MemberConnectionRow, at: Date): AuditEntry[] {
  const { memberAccountId, resellerAccountId, externalId } = row;
  const own = auditBy(scope, {
    ...{ kind: 'member_left', at, details: { resellerUserId: resellerAccountId } },
    message: 'The account left its reseller, which can no longer act for it',
  });
  return [
    own,
    {
      ...own,
      accountId: resellerAccountId,
      actor: { ...own.actor, kind: 'member' },
      message: `The member ${externalId} left`,
      details: { memberUserId: memberAccountId, externalId },
    },
  ];
}
