import type { Scope } from '../../core/scope.ts';
import { isKeyActive } from '../../store/accounts/api-keys.ts';
import { isMemberOf } from '../../store/resellers/member-connections.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { refusalOf } from '../accounts/suspended.ts';
import { forbiddenMember, invalidKey } from './authenticate-api-key.ts';

/**
 * Repeats the check of {@link authenticateApiKey}, so a key that is revoked, suspended or over meanwhile fails at once, requests in
 * flight included (specification "Authentication" 1). Called right before a write takes effect and before a call without effect
 * is answered. A reseller no longer acts for a member that left it meanwhile. Throws `Refusal` as authenticateApiKey does.
 */
export async function confirmKeyActive(
  { store, now }: { readonly store: StoreConnection; readonly now: () => Date },
  scope: Scope,
): Promise<void> {
  const { accountId, actingAccountId, credential } = scope;
  if (credential.kind !== 'api-key') return;
  const [isActive, isLinked] = await Promise.all([
    isKeyActive(store, actingAccountId, { keyId: credential.keyId, now: now() }),
    accountId === actingAccountId || isMemberOf(store, actingAccountId, accountId),
  ]);
  if (!isActive) throw await refusalOf(store, actingAccountId, invalidKey());
  if (!isLinked) throw forbiddenMember();
}
