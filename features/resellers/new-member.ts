import type { AuditEntry } from '../accounts/rules/audit-entry.ts';
import type { AccountId } from '../rules/ids.ts';
import type { UsedInvitation } from './store/invitations.ts';
import type { MemberConnectionRow } from './store/member-connections.ts';
import type { JoinRows } from './store/memberships.ts';
import { inBothLogs, sharingEntries, type ActingSide } from './both-logs.ts';

export interface NewMember {
  readonly ids: { readonly connection: string; readonly deal: string };
  readonly member: AccountId;
  readonly reseller: AccountId;
  readonly externalId: string;
  readonly sharesOrders: boolean;
  readonly invitation: UsedInvitation | null;
  /** The member that joins, or the reseller that approves it. */
  readonly by: ActingSide;
}

/** The rows and log entries of a membership that begins. */
export function newMemberRows(
  at: Date,
  { ids, member, reseller, externalId, sharesOrders, invitation, by }: NewMember,
): JoinRows {
  const connection = {
    _id: ids.connection,
    resellerAccountId: reseller,
    memberAccountId: member,
    externalId,
    sharesOrders,
    createdAt: at,
    updatedAt: at,
  };
  return {
    connection,
    invitation,
    audit: [
      ...joinEntries(connection, by),
      ...(sharesOrders ? sharingEntries(connection, at, sharedBy(connection, by)) : []),
    ],
    deal: {
      _id: ids.deal,
      accountId: member,
      kind: 'sub_account',
      commissionBps: null,
      resellerAccountId: reseller,
      current: true,
      validFrom: at,
      validTo: null,
    },
  };
}

/** Sharing is the member's decision, also when it said so in a request that its reseller approves later. */
const sharedBy = ({ memberAccountId: accountId }: MemberConnectionRow, by: ActingSide): ActingSide =>
  by.side === 'member' ? by : { side: 'member', actor: { kind: 'dashboard', accountId, keyId: null, requestId: null } };

/** Each side's log shows the account of the other side. */
function joinEntries(row: MemberConnectionRow, by: ActingSide): AuditEntry[] {
  const { memberAccountId, resellerAccountId, externalId, createdAt: at } = row;
  return inBothLogs(by, {
    memberAccountId,
    resellerAccountId,
    at,
    toMember: { kind: 'member_joined', details: { resellerUserId: resellerAccountId } },
    toReseller: { kind: 'member_joined', details: { memberUserId: memberAccountId, externalId } },
  });
}
