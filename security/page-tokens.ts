import { randomBytes } from 'node:crypto';
import { accountId, sessionId, type AccountId, type SessionId } from '../core/ids.ts';
import { fingerprintOf } from './fingerprint.ts';
import { createSignedTokens, type SigningKey } from './signed-token.ts';

/** Whose session a page token belongs to. */
export interface PageSession {
  readonly accountId: AccountId;
  readonly sessionId: SessionId;
}

export interface PageTokens {
  /** Tells the public pages of whom a session is. It is no access token: its audience is another one. */
  signSession(session: PageSession, now: Date): string;
  /** undefined for anything else; whether the session still lives is not asked. */
  verifySession(token: string, now: Date): PageSession | undefined;
  /** For a form that is shown to `holder`: the name of a session or a secret of the browser. */
  signForm(holder: string, now: Date): string;
  isFormOf(token: string, holder: string, now: Date): boolean;
}

const daySeconds = 86_400;
/** No session lives longer. */
const sessionLifetimeSeconds = 30 * daySeconds;
/** So long a page may lie open before its buttons ask for another look. */
export const formLifetimeSeconds = daySeconds;

/** The tokens of the public pages, which work without script. `keys` as for session tokens. */
export function createPageTokens(keys: readonly SigningKey[]): PageTokens {
  const sessions = createSignedTokens(keys, { audience: 'itembridge-page', lifetimeSeconds: sessionLifetimeSeconds });
  const forms = createSignedTokens(keys, { audience: 'itembridge-form', lifetimeSeconds: formLifetimeSeconds });
  return {
    signSession: (session, now) => sessions.sign({ subject: session.accountId, sessionId: session.sessionId }, now),
    verifySession(token, now) {
      const claims = sessions.verify(token, now);
      if (claims?.sessionId === undefined) return undefined;
      return { accountId: accountId(claims.subject), sessionId: sessionId(claims.sessionId) };
    },
    // Whoever reads a page must not read the browser's secret in it.
    signForm: (holder, now) => forms.sign({ subject: fingerprintOf(holder) }, now),
    isFormOf: (token, holder, now) => forms.verify(token, now)?.subject === fingerprintOf(holder),
  };
}

/** What ties a form to a browser that has no session: random, in a cookie of its own. */
export const newVisitor = (): string => randomBytes(16).toString('base64url');

export const isVisitor = (text: string): boolean => /^[A-Za-z0-9_-]{22}$/.test(text);
