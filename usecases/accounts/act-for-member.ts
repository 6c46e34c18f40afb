import { Refusal } from '../../core/errors.ts';
import { accountId } from '../../core/ids.ts';
import type { Scope } from '../../core/scope.ts';
import { isMemberOf } from '../../store/resellers/member-connections.ts';
import type { Context } from '../context.ts';

/**
 * The scope in which a reseller's session acts for a member, as `X-Partner-Account` makes it for a key. Throws {@link Refusal}
 * NOT_FOUND in the same words for an unknown account, for somebody else's member and for a caller that is no reseller.
 * `confirmCredential` asks it once more right before a write.
 */
export async function actForMember(
  { store }: Pick<Context, 'store'>,
  scope: Scope,
  memberUserId: string,
): Promise<Scope> {
  const member = accountId(memberUserId);
  if (!(await isMemberOf(store, scope.actingAccountId, member))) throw unknownMember();
  return { ...scope, accountId: member };
}

export const unknownMember = (): Refusal =>
  new Refusal('NOT_FOUND', 'No member of this account has this user id (member)');
