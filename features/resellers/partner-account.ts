import { Refusal } from '../rules/errors.ts';
import type { AccountId } from '../rules/ids.ts';
import type { KeyHolder } from '../rules/scope.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { findMemberByReference } from './store/member-connections.ts';

/** The account that a call is for: the key's own, or the member that `X-Partner-Account` names. Throws {@link Refusal} PARTNER_ACCOUNT_FORBIDDEN. */
export async function accountActedFor(
  store: StoreConnection,
  holder: KeyHolder,
  reference: string | undefined,
): Promise<AccountId> {
  if (reference === undefined) return holder.accountId;
  const member = await findMemberByReference(store, holder.accountId, reference);
  if (member === null) throw forbiddenMember(holder);
  return member;
}

export const forbiddenMember = (holder?: KeyHolder): Refusal =>
  new Refusal('PARTNER_ACCOUNT_FORBIDDEN', 'X-Partner-Account names no member that this account may act for', {
    holder,
  });
