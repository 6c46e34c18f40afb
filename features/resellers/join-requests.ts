import type { AuditEntry } from '../accounts/rules/audit-entry.ts';
import type { AccountId } from '../rules/ids.ts';
import type { Scope } from '../rules/scope.ts';
import { listJoinRequests, type JoinRequestRow, type ListedJoinRequest } from './store/join-requests.ts';
import type { Context } from '../context.ts';
import { inBothLogs, type ActingSide } from './both-logs.ts';
import type { InvitationRow } from './store/invitations.ts';

const lifeMs = 30 * 24 * 3_600_000;

/** The oldest first; empty for an account that is no reseller. */
export async function readJoinRequests({ store }: Pick<Context, 'store'>, scope: Scope) {
  return (await listJoinRequests(store, scope.actingAccountId)).map(describe);
}

const describe = (row: ListedJoinRequest) => ({
  memberUserId: row._id,
  memberName: row.name,
  email: row.email,
  externalId: row.externalId,
  sharesOrders: row.sharesOrders,
  requestedAt: row.requestedAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
});

interface Asking {
  readonly member: AccountId;
  readonly reseller: AccountId;
  readonly sharesOrders: boolean;
  readonly invited: InvitationRow | null;
  readonly at: Date;
}

export const newJoinRequest = ({ member, reseller, sharesOrders, invited, at }: Asking): JoinRequestRow => ({
  _id: member,
  resellerAccountId: reseller,
  sharesOrders,
  invitationId: invited?._id ?? null,
  externalId: invited?.externalId ?? null,
  requestedAt: at,
  expiresAt: new Date(at.getTime() + lifeMs),
});

export function requestedEntries(by: ActingSide, row: JoinRequestRow): AuditEntry[] {
  const { _id: memberAccountId, resellerAccountId, requestedAt: at } = row;
  const kind = 'join_requested';
  return inBothLogs(by, {
    memberAccountId,
    resellerAccountId,
    at,
    toMember: { kind, details: { resellerUserId: resellerAccountId } },
    toReseller: { kind, details: { memberUserId: memberAccountId } },
  });
}

export function requestEndedEntries(by: ActingSide, row: JoinRequestRow, at: Date): AuditEntry[] {
  const { _id: memberAccountId, resellerAccountId } = row;
  const [kind, isWithdrawn] = ['join_request_ended' as const, by.side === 'member'];
  return inBothLogs(by, {
    memberAccountId,
    resellerAccountId,
    at,
    toMember: { kind, details: { isWithdrawn, resellerUserId: resellerAccountId } },
    toReseller: { kind, details: { isWithdrawn, memberUserId: memberAccountId } },
  });
}
