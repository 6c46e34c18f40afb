import type { Scope } from '../../core/scope.ts';
import { findAccountNames } from '../../store/accounts/accounts.ts';
import { listConnections } from '../../store/resellers/member-connections.ts';
import type { Context } from '../context.ts';
import { describeMember, type MemberView } from './describe-member.ts';

const membersMax = 10_000;

/** Oldest first; empty for an account that is no reseller. */
export async function listMembers(context: Pick<Context, 'store'>, scope: Scope): Promise<readonly MemberView[]> {
  const rows = await listConnections(context.store, scope.actingAccountId, membersMax);
  const names = await findAccountNames(
    context.store,
    rows.map((row) => row.memberAccountId),
  );
  return rows.map((row) => describeMember(row, names.get(row.memberAccountId) ?? ''));
}
