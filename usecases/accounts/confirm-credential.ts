import type { Scope } from '../../core/scope.ts';
import { isSessionOpen } from '../../store/sessions.ts';
import type { AccountSideContext } from '../account-side-context.ts';
import { confirmKeyActive } from '../api-keys/confirm-key-active.ts';
import { invalidSession } from './authenticate-session.ts';

/**
 * Asks once more what was found out at the door, right before a write takes effect and before what has no effect is answered:
 * a key that was revoked and a session that has ended meanwhile stop the calls in flight as well. Throws `Refusal` UNAUTHORIZED,
 * and what {@link confirmKeyActive} throws.
 */
export async function confirmCredential(
  { store, now }: Pick<AccountSideContext, 'store' | 'now'>,
  scope: Scope,
): Promise<void> {
  const { actingAccountId, credential } = scope;
  if (credential.kind !== 'session') return confirmKeyActive(store, scope);
  const session = { sessionId: credential.sessionId, now: now() };
  if (!(await isSessionOpen(store, actingAccountId, session))) throw invalidSession();
}
