import type { Scope } from '../rules/scope.ts';
import { findAccountNames } from '../accounts/store/accounts.ts';
import { listConnections, type MemberConnectionRow } from './store/member-connections.ts';
import type { Context } from '../context.ts';
import { isSharing } from './seen-members.ts';

/** The caller's members, oldest first; empty for an account that is no reseller. */
export async function listMembers(context: Pick<Context, 'store'>, scope: Scope): Promise<readonly MemberView[]> {
  const rows = await listConnections(context.store, scope.actingAccountId);
  const names = await findAccountNames(
    context.store,
    rows.map((row) => row.memberAccountId),
  );
  return rows.map((row) => describeMember(row, names.get(row.memberAccountId) ?? ''));
}

export type MemberView = ReturnType<typeof describeMember>;

export const describeMember = (row: MemberConnectionRow, memberName: string) => ({
  memberUserId: row.memberAccountId,
  memberName,
  externalId: row.externalId,
  sharesOrders: isSharing(row),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});
