import { Refusal } from '../../core/errors.ts';
import type { Scope } from '../../core/scope.ts';
import { isSessionOpen } from '../../store/accounts/sessions.ts';
import type { Context } from '../context.ts';
import { refusalOf } from './suspended.ts';

/**
 * The scope of a dashboard session. One read by primary key, so that signing out and a stolen token's end count at once and
 * not after the token's 15 minutes. Throws {@link Refusal} UNAUTHORIZED or ACCOUNT_SUSPENDED; an API key is not accepted here.
 */
export async function authenticateSession(
  { store, sessions, now }: Pick<Context, 'store' | 'sessions' | 'now'>,
  token: string | undefined,
): Promise<Scope> {
  const at = now();
  const claims = token === undefined ? undefined : sessions.verify(token, at);
  if (claims === undefined) throw invalidSession();
  const { accountId, sessionId } = claims;
  const isOpen = await isSessionOpen(store, accountId, { sessionId, now: at });
  if (!isOpen) throw await refusalOf(store, accountId, invalidSession());
  return { accountId, actingAccountId: accountId, credential: { kind: 'session', sessionId } };
}

/** In the same words for a token that is missing, malformed or too old, and for a session that has ended. */
export const invalidSession = (): Refusal =>
  new Refusal('UNAUTHORIZED', 'Invalid or missing session token (Authorization: Bearer)');
