import { accountId, sessionId, type AccountId, type SessionId } from '../core/ids.ts';
import { createSignedTokens, type SigningKey, type VerifyOptions } from './signed-token.ts';

export interface SessionClaims {
  readonly accountId: AccountId;
  readonly sessionId: SessionId;
  readonly tokenId: string;
  readonly expiresAt: Date;
}

export interface SessionTokens {
  /** A new access token of the session, good for 15 minutes from `now`. */
  sign(session: Pick<SessionClaims, 'accountId' | 'sessionId'>, now: Date): string;
  /** The claims of a valid token; undefined, without a reason, otherwise. Does not check whether the session is still open. */
  verify(token: string, now: Date, options?: VerifyOptions): SessionClaims | undefined;
}

export const sessionTokenLifetimeSeconds = 15 * 60;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Access tokens of dashboard sessions. `keys` newest first: the first signs, all verify, so that a key rotation ends no session.
 */
export function createSessionTokens(keys: readonly SigningKey[]): SessionTokens {
  const audience = 'itembridge-dashboard';
  const tokens = createSignedTokens(keys, { audience, lifetimeSeconds: sessionTokenLifetimeSeconds });
  return {
    sign: (session, now) => tokens.sign({ subject: session.accountId, sessionId: session.sessionId }, now),
    verify(token, now, options) {
      const claims = tokens.verify(token, now, options);
      if (claims?.sessionId === undefined || !uuid.test(claims.subject) || !uuid.test(claims.sessionId))
        return undefined;
      const { tokenId, expiresAt } = claims;
      return { accountId: accountId(claims.subject), sessionId: sessionId(claims.sessionId), tokenId, expiresAt };
    },
  };
}
