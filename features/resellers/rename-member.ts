import type { AuditEntry } from '../accounts/rules/audit-entry.ts';
import { Refusal } from '../rules/errors.ts';
import type { AccountId } from '../rules/ids.ts';
import type { Scope } from '../rules/scope.ts';
import { findAccountNames } from '../accounts/store/accounts.ts';
import { renameConnection } from './store/member-connections.ts';
import type { Context } from '../context.ts';
import { inBothLogs, resellerBy } from './both-logs.ts';
import { approveMember } from './connect-member.ts';
import { type MemberView, describeMember } from './members.ts';

/**
 * Gives a member another reference. An account that asks to become one is approved under it. Throws {@link Refusal} NOT_FOUND
 * when the account is neither, REFERENCE_TAKEN when another member has it.
 */
export async function renameMember(
  context: Pick<Context, 'store' | 'confirmCredential' | 'now' | 'newId'>,
  scope: Scope,
  { memberAccountId, externalId }: { memberAccountId: AccountId; externalId: string },
): Promise<MemberView> {
  const now = context.now();
  const told = { memberAccountId, externalId, at: now };
  const audit = ({ externalId: before }: { externalId: string }) => renameEntries(scope, { ...told, before });
  const change = { memberAccountId, externalId, now, audit };
  await context.confirmCredential(scope);
  const found = await renameConnection(context.store, scope.actingAccountId, change);
  if (found === 'taken') throw new Refusal('REFERENCE_TAKEN', 'Another member has this reference');
  const renamed = found === 'unknown' ? await approveMember(context, scope, { memberAccountId, externalId }) : found;
  if (renamed === null) throw new Refusal('NOT_FOUND', 'No member with this id, and no request of it');
  const names = await findAccountNames(context.store, [memberAccountId]);
  return describeMember(renamed, names.get(memberAccountId) ?? '');
}

interface Rename {
  readonly memberAccountId: AccountId;
  readonly before: string;
  readonly externalId: string;
  readonly at: Date;
}

function renameEntries(scope: Scope, { memberAccountId, before, externalId, at }: Rename): AuditEntry[] {
  const resellerAccountId = scope.actingAccountId;
  const [kind, references] = ['member_renamed' as const, { before, externalId }];
  return inBothLogs(resellerBy(scope), {
    memberAccountId,
    resellerAccountId,
    at,
    toMember: { kind, details: { resellerUserId: resellerAccountId, ...references } },
    toReseller: { kind, details: { memberUserId: memberAccountId, ...references } },
  });
}
