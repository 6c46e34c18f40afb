import { Refusal } from '../../core/errors.ts';
import type { AccountId } from '../../core/ids.ts';
import type { Scope } from '../../core/scope.ts';
import { findAccountNames } from '../../store/accounts.ts';
import { renameConnection } from '../../store/member-connections.ts';
import type { AccountSideContext } from '../account-side-context.ts';
import { describeMember, type MemberView } from './describe-member.ts';

/** Throws {@link Refusal} NOT_FOUND when the account is no member of the caller, REFERENCE_TAKEN when another member has it. */
export async function renameMember(
  context: Pick<AccountSideContext, 'store' | 'now'>,
  scope: Scope,
  { memberAccountId, externalId }: { memberAccountId: AccountId; externalId: string },
): Promise<MemberView> {
  const change = { memberAccountId, externalId, now: context.now() };
  const renamed = await renameConnection(context.store, scope.actingAccountId, change);
  if (renamed === 'unknown') throw new Refusal('NOT_FOUND', 'No connected member with this id');
  if (renamed === 'taken') throw new Refusal('REFERENCE_TAKEN', 'Another member has this reference');
  const names = await findAccountNames(context.store, [memberAccountId]);
  return describeMember(renamed, names.get(memberAccountId) ?? '');
}
