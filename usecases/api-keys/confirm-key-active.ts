import { Refusal } from '../../core/errors.ts';
import type { Scope } from '../../core/scope.ts';
import { isKeyActive } from '../../store/api-keys.ts';
import type { StoreConnection } from '../../store/connection.ts';

/**
 * Checked once more right before a write takes effect, so that a revoked key fails at once, requests in flight included
 * (specification "Authentication" 1). Can run beside the write's own read. Throws {@link Refusal} UNAUTHORIZED.
 */
export async function confirmKeyActive(store: StoreConnection, scope: Scope): Promise<void> {
  if (scope.credential.kind !== 'api-key') return;
  if (await isKeyActive(store, scope.actingAccountId, scope.credential.keyId)) return;
  throw new Refusal('UNAUTHORIZED', 'Invalid or missing API key (x-api-key)');
}
