import { auditBy } from '../../core/audit/audit-by.ts';
import type { AuditEntry } from '../../core/audit/audit-entry.ts';
import { Refusal } from '../../core/errors.ts';
import type { AccountId } from '../../core/ids.ts';
import type { Scope } from '../../core/scope.ts';
import { findAccountNames } from '../../store/accounts/accounts.ts';
import { renameConnection } from '../../store/resellers/member-connections.ts';
import type { Context } from '../context.ts';
import { describeMember, type MemberView } from './describe-member.ts';

/** Throws {@link Refusal} NOT_FOUND when the account is no member of the caller, REFERENCE_TAKEN when another member has it. */
export async function renameMember(
  context: Pick<Context, 'store' | 'confirmCredential' | 'now'>,
  scope: Scope,
  { memberAccountId, externalId }: { memberAccountId: AccountId; externalId: string },
): Promise<MemberView> {
  const now = context.now();
  const told = { memberAccountId, externalId, at: now };
  const audit = ({ externalId: before }: { externalId: string }) => renameEntries(scope, { ...told, before });
  const change = { memberAccountId, externalId, now, audit };
  await context.confirmCredential(scope);
  const renamed = await renameConnection(context.store, scope.actingAccountId, change);
  if (renamed === 'unknown') throw new Refusal('NOT_FOUND', 'No connected member with this id');
  if (renamed === 'taken') throw new Refusal('REFERENCE_TAKEN', 'Another member has this reference');
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
  const own = auditBy(scope, {
    ...{ kind: 'member_renamed', at, details: { memberUserId: memberAccountId, before, externalId } },
    message: `The reference of the member ${before} was changed to ${externalId}`,
  });
  return [
    own,
    {
      ...own,
      accountId: memberAccountId,
      actor: { ...own.actor, kind: 'reseller' },
      message: `Your reseller changed its reference for this account from ${before} to ${externalId}`,
      details: { resellerUserId: scope.actingAccountId, before, externalId },
    },
  ];
}
