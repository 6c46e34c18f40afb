import type { Scope } from '../../core/scope.ts';
import { isSessionOpen } from '../../store/accounts/sessions.ts';
import type { Context } from '../context.ts';

/**
 * Whose browser opens a public page, by the values of its `session` cookie; null for nobody. A page token opens no route of the
 * interface, and counts as long as the session lives that it was made for. Of several the one counts whose session is open; of two
 * such nobody knows which one is the visitor's.
 */
export async function authenticatePage(
  { store, pageTokens, now }: Pick<Context, 'store' | 'pageTokens' | 'now'>,
  texts: readonly string[],
): Promise<Scope | null> {
  const at = now();
  const named = [...new Set(texts)].flatMap((text) => pageTokens.verifySession(text, at) ?? []);
  const sessions = [...new Map(named.map((session) => [session.sessionId, session])).values()];
  const areOpen = await Promise.all(
    sessions.map(({ accountId, sessionId }) => isSessionOpen(store, accountId, { sessionId, now: at })),
  );
  const [only, ...more] = sessions.filter((_, n) => areOpen[n] === true);
  if (only === undefined || more.length > 0) return null;
  const { accountId, sessionId } = only;
  return { accountId, actingAccountId: accountId, credential: { kind: 'session', sessionId } };
}
