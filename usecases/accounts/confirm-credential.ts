import type { Scope } from '../../core/scope.ts';
import { keptFresh } from '../../platform/concurrency/kept-fresh.ts';
import { isMemberOf } from '../../store/resellers/member-connections.ts';
import { isSessionOpen } from '../../store/accounts/sessions.ts';
import type { Context } from '../context.ts';
import { confirmKeyActive } from '../api-keys/confirm-key-active.ts';
import { unknownMember } from './act-for-member.ts';
import { invalidSession } from './authenticate-session.ts';
import { refusalOf } from './suspended.ts';

/**
 * Asks once more what was found out at the door, right before a write takes effect and before what has no effect is answered:
 * a key that was revoked and a session that has ended meanwhile stop the calls in flight as well, and so does a member that left
 * its reseller. A process that was stopped while it asked asks again.
 * Throws `Refusal` UNAUTHORIZED, ACCOUNT_SUSPENDED, what {@link confirmKeyActive} throws, and of a session's member NOT_FOUND.
 */
export const confirmCredential = (context: Needs, scope: Scope): Promise<void> =>
  keptFresh(() => askOnce(context, scope))();

type Needs = Pick<Context, 'store' | 'now'>;

async function askOnce({ store, now }: Needs, scope: Scope): Promise<void> {
  const { accountId, actingAccountId, credential } = scope;
  if (credential.kind !== 'session') return confirmKeyActive(store, scope);
  const session = { sessionId: credential.sessionId, now: now() };
  const [isOpen, isLinked] = await Promise.all([
    isSessionOpen(store, actingAccountId, session),
    accountId === actingAccountId || isMemberOf(store, actingAccountId, accountId),
  ]);
  if (!isOpen) throw await refusalOf(store, actingAccountId, invalidSession());
  if (!isLinked) throw unknownMember();
}
