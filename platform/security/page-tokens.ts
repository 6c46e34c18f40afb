import { randomBytes } from 'node:crypto';
import { accountId, sessionId, type AccountId, type SessionId } from '../../features/rules/ids.ts';
import { fingerprintOf } from './fingerprint.ts';
import { createSignedTokens, type SigningKey } from './signed-token.ts';

/** The account and session of a page token. */
export interface PageSession {
  readonly accountId: AccountId;
  readonly sessionId: SessionId;
}

export interface PageTokens {
  /** Identifies a session to the public pages. It is no access token, because its audience differs. */
  signSession(session: PageSession, now: Date): string;
  /** undefined for anything but a valid token. Whether the session is still open is not checked. */
  verifySession(token: string, now: Date): PageSession | undefined;
  /** For a form that is shown to `holder`, which is the id of a session or a secret of the browser. */
  signForm(holder: string, now: Date): string;
  isFormOf(token: string, holder: string, now: Date): boolean;
}

const daySeconds = 86_400;
/** No session lives longer. */
const sessionLifetimeSeconds = 30 * daySeconds;
/** How long an open page's buttons work before the page must be loaded again. */
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
    // A fingerprint, so that the page's source does not reveal the browser's secret.
    signForm: (holder, now) => forms.sign({ subject: fingerprintOf(holder) }, now),
    isFormOf: (token, holder, now) => forms.verify(token, now)?.subject === fingerprintOf(holder),
  };
}

/** Binds a form to a browser without a session: a random value in its own cookie. */
export const newVisitor = (): string => randomBytes(16).toString('base64url');

/** True when the text has the form of {@link newVisitor}. */
export const isVisitor = (text: string): boolean => /^[A-Za-z0-9_-]{22}$/.test(text);
