import type { Scope } from '../../core/scope.ts';
import { isKeyActive } from '../../store/accounts/api-keys.ts';
import { isMemberOf } from '../../store/resellers/member-connections.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { refusalOf } from '../accounts/suspended.ts';
import { forbiddenMember, invalidKey } from './authenticate-api-key.ts';

/**
 * Asks once more what {@link authenticateApiKey} has found out at the door, so that a revoked key, or one whose account is suspended, fails at
 * once, requests in flight included (specification "Authentication" 1): right before a write takes effect, and before what has no effect is answered.
 * A member that left its reseller meanwhile is no longer acted for. Throws `Refusal` as authenticateApiKey does.
 */
export async function confirmKeyActive(store: StoreConnection, scope: Scope): Promise<void> {
  const { accountId, actingAccountId, credential } = scope;
  if (credential.kind !== 'api-key') return;
  const [isActive, isLinked] = await Promise.all([
    isKeyActive(store, actingAccountId, credential.keyId),
    accountId === actingAccountId || isMemberOf(store, actingAccountId, accountId),
  ]);
  if (!isActive) throw await refusalOf(store, actingAccountId, invalidKey());
  if (!isLinked) throw forbiddenMember();
}
