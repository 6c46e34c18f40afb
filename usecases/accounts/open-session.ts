import { sessionId, type AccountId } from '../../core/ids.ts';
import { sessionExpiry } from '../../core/sessions/refresh-decision.ts';
import { fingerprintOf } from '../../security/fingerprint.ts';
import { hashTokenPart, newRefreshToken, refreshTokenText } from '../../security/refresh-token.ts';
import { Secret } from '../../security/secret.ts';
import type { AccountRow } from '../../store/accounts/accounts.ts';
import type { SessionRow } from '../../store/accounts/sessions.ts';
import type { Context } from '../context.ts';
import type { Caller } from './caller.ts';
import { describeAccount, type Session } from './describe-session.ts';

/** A secret on its way into a cookie. */
export interface CookieToken {
  readonly token: Secret;
  readonly maxAgeSeconds: number;
}

/** What whoever signs in or renews gets: `session` is the body, the tokens go into cookies. */
export interface OpenedSession {
  readonly session: Session;
  readonly refresh: CookieToken;
  /** Good for the public pages, as long as the session lives. */
  readonly page: CookieToken;
}

/** A session of the account that is not stored yet, and its first refresh token. */
export function prepareSession(
  { now, newId }: Pick<Context, 'now' | 'newId'>,
  accountId: AccountId,
  { address, userAgent }: Pick<Caller, 'address' | 'userAgent'>,
): { readonly row: SessionRow; readonly refresh: CookieToken } {
  const at = now();
  const token = newRefreshToken();
  const row: SessionRow = {
    _id: sessionId(newId()),
    accountId,
    handleHash: hashTokenPart(token.handle),
    secretHash: hashTokenPart(token.secret),
    generation: 0,
    previous: null,
    createdAt: at,
    expiresAt: sessionExpiry(at, at),
    endedAt: null,
    endedBy: null,
    address,
    userAgent: userAgent?.slice(0, userAgentLengthMax) ?? null,
  };
  return { row, refresh: cookieToken(refreshTokenText(token), row.expiresAt, at) };
}

const userAgentLengthMax = 200;

export const cookieToken = (text: string, expiresAt: Date, now: Date): CookieToken => ({
  token: new Secret(text),
  maxAgeSeconds: Math.max(0, Math.floor((expiresAt.getTime() - now.getTime()) / 1000)),
});

/** For a cookie that lasts as long as the session will unless it is renewed. */
export function pageToken(
  { pageTokens, now }: Pick<Context, 'pageTokens' | 'now'>,
  { _id, accountId, expiresAt }: Pick<SessionRow, '_id' | 'accountId' | 'expiresAt'>,
): CookieToken {
  const at = now();
  return cookieToken(pageTokens.signSession({ accountId, sessionId: _id }, at), expiresAt, at);
}

/** The body of every answer that opens or renews a session. */
export const describeSession = (
  { sessions, now }: Pick<Context, 'sessions' | 'now'>,
  account: AccountRow,
  row: Pick<SessionRow, '_id'>,
): Session => ({
  accessToken: sessions.sign({ accountId: account._id, sessionId: row._id }, now()),
  account: describeAccount(account),
});

/** How an email is named where only its sameness matters: in keys of limits and in device tokens. */
export const emailFingerprint = (email: string): string => fingerprintOf(`email:${email}`);
