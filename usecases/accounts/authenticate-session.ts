import { Refusal } from '../../core/errors.ts';
import type { Scope } from '../../core/scope.ts';
import type { AccountSideContext } from '../account-side-context.ts';

/** The scope of a dashboard session. Throws {@link Refusal} UNAUTHORIZED; an API key is not accepted here. */
export function authenticateSession(
  context: Pick<AccountSideContext, 'sessions' | 'now'>,
  token: string | undefined,
): Scope {
  const claims = token === undefined ? undefined : context.sessions.verify(token, context.now());
  if (claims === undefined)
    throw new Refusal('UNAUTHORIZED', 'Invalid or missing session token (Authorization: Bearer)');
  return { accountId: claims.accountId, actingAccountId: claims.accountId, credential: { kind: 'session' } };
}
