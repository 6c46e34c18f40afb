import type { AuditActor, AuditEntry } from '../accounts/rules/audit-entry.ts';
import { actorOf } from '../items/rules/journal.ts';
import type { Scope } from '../rules/scope.ts';
import type { MemberConnectionRow } from './store/member-connections.ts';
import { endJoinRequest, leaveReseller } from './store/memberships.ts';
import type { Context } from '../context.ts';
import { inBothLogs, memberBy } from './both-logs.ts';
import { requestEndedEntries } from './join-requests.ts';
import { requireShown } from './profiles.ts';

/**
 * The member leaves its reseller, or no longer asks one; without either nothing happens. Items, marketplace connection and
 * paid deals stay as they are. `expected` is the user id of the reseller that the page showed. Throws {@link Refusal}
 * CONFLICT when the member belongs to another one.
 */
export async function disconnectMember(
  context: Pick<Context, 'store' | 'confirmCredential' | 'now'>,
  scope: Scope,
  expected?: string,
): Promise<void> {
  await context.confirmCredential(scope);
  // First, so that an approval at the same moment leaves no membership behind.
  await endJoinRequest(context.store, scope.actingAccountId, {
    reseller: expected,
    audit: (ended) => requestEndedEntries(memberBy(scope), ended, context.now()),
  });
  await leaveReseller(context.store, scope.actingAccountId, {
    now: context.now,
    requireLeavable: (reseller) => {
      if (expected !== undefined && reseller !== null) requireShown(reseller, expected);
    },
    audit: (connection, at) => leaveEntries(actorOf(scope), connection, at),
  });
}

export function leaveEntries(actor: AuditActor, row: MemberConnectionRow, at: Date): AuditEntry[] {
  const { memberAccountId, resellerAccountId, externalId } = row;
  const kind = 'member_left';
  return inBothLogs(
    { side: 'member', actor },
    {
      memberAccountId,
      resellerAccountId,
      at,
      toMember: { kind, details: { resellerUserId: resellerAccountId, isAgreementEnded: false } },
      toReseller: { kind, details: { memberUserId: memberAccountId, externalId } },
    },
  );
}
