import { auditBy } from './rules/audit-entry.ts';
import { Refusal } from '../rules/errors.ts';
import { sessionId, type AccountId } from '../rules/ids.ts';
import type { Scope } from '../rules/scope.ts';
import { sessionExpiry } from './rules/refresh-decision.ts';
import {
  hashTokenPart,
  newRefreshToken,
  readRefreshToken,
  refreshTokenText,
} from '../../platform/security/refresh-token.ts';
import { Secret } from '../../platform/security/secret.ts';
import type { AccountRow } from './store/accounts.ts';
import {
  endOtherSessions,
  endSession,
  findSessionByHandle,
  listOpenSessions,
  type SessionRow,
} from './store/sessions.ts';
import type { Context } from '../context.ts';
import { invalidSession, ownerBy, type Caller } from './authenticate-session.ts';

/** A secret on its way into a cookie. */
export interface CookieToken {
  readonly token: Secret;
  readonly maxAgeSeconds: number;
}

/** The outcome of a sign-in or a renewal: `session` is the body, the tokens go into cookies. */
export interface OpenedSession {
  readonly session: Session;
  readonly refresh: CookieToken;
  /** Valid for the public pages while the session is open. */
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

/** A cookie value that expires with the token. */
export const cookieToken = (text: string, expiresAt: Date, now: Date): CookieToken => ({
  token: new Secret(text),
  maxAgeSeconds: Math.max(0, Math.floor((expiresAt.getTime() - now.getTime()) / 1000)),
});

/** For a cookie that expires with the session, unless the session is renewed. */
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

export interface Session {
  readonly accessToken: string;
  readonly account: ReturnType<typeof describeAccount>;
}

export const describeAccount = (row: AccountRow) => ({ id: row._id, email: row.email, name: row.name });

/** The open sessions of the account, newest first. */
export async function listSessions(
  { store, now }: Pick<Context, 'store' | 'now'>,
  { actingAccountId, credential }: Scope,
) {
  const rows = await listOpenSessions(store, actingAccountId, now());
  return rows.map((row) => ({
    id: row._id,
    createdAt: row.createdAt.toISOString(),
    // Its access token is renewed every 15 minutes during use.
    lastUsedAt: (row.previous?.rotatedAt ?? row.createdAt).toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    address: row.address ?? null,
    userAgent: row.userAgent ?? null,
    isCurrent: credential.kind === 'session' && credential.sessionId === row._id,
  }));
}

type Needs = Pick<Context, 'store' | 'confirmCredential' | 'now'>;

/** Ends one session of the account with all its tokens. Throws {@link Refusal} NOT_FOUND when no open session has the id. */
export async function endOneSession({ store, confirmCredential, now }: Needs, scope: Scope, id: string): Promise<void> {
  await confirmCredential(scope);
  const at = now();
  const ended = { _id: sessionId(id), accountId: scope.actingAccountId };
  const audit = auditBy(scope, { kind: 'sessions_ended', at, details: { sessionId: id, sessions: 1 } });
  if (await endSession(store, ended, { at, by: 'elsewhere', audit })) return;
  throw new Refusal('NOT_FOUND', 'No open session of this account has this id');
}

/** Ends all sessions of the account but the one that calls. */
export async function endAllOtherSessions({ store, confirmCredential, now }: Needs, scope: Scope): Promise<void> {
  const { credential } = scope;
  if (credential.kind !== 'session') throw invalidSession();
  await confirmCredential(scope);
  const at = now();
  await endOtherSessions(store, scope.actingAccountId, {
    keep: credential.sessionId,
    at,
    audit: (sessions) => auditBy(scope, { kind: 'sessions_ended', at, details: { sessionId: null, sessions } }),
  });
}

/** Ends the session that the call was made with, with all its tokens. No effect when it is over. */
export async function endOwnSession({ store, now }: Pick<Context, 'store' | 'now'>, scope: Scope): Promise<void> {
  const { actingAccountId: accountId, credential } = scope;
  if (credential.kind !== 'session') return;
  const { sessionId } = credential;
  const at = now();
  const audit = auditBy(scope, { kind: 'signed_out', at, details: { sessionId } });
  await endSession(store, { _id: sessionId, accountId }, { at, by: 'sign_out', audit });
}

/**
 * Ends the session of a refresh token, with its access tokens, for the newest token and for older ones. No effect and no error
 * when the session is unknown or already over.
 */
export async function logOut(
  { store, now }: Pick<Context, 'store' | 'now'>,
  caller: Pick<Caller, 'requestId'>,
  text: string,
): Promise<void> {
  const token = readRefreshToken(text);
  if (token === undefined) return;
  const row = await findSessionByHandle(store, hashTokenPart(token.handle));
  const at = now();
  if (row === null || row.endedAt !== null || row.expiresAt <= at) return;
  const actor = ownerBy(row.accountId, caller);
  const details = { sessionId: row._id };
  const audit = { accountId: row.accountId, actor, at, details, kind: 'signed_out' } as const;
  await endSession(store, row, { at, by: 'sign_out', audit });
}

type FormNeeds = Pick<Context, 'pageTokens' | 'now'>;

/** The token that a form of a public page carries when it is shown to `holder`. */
export const signPageForm = ({ pageTokens, now }: FormNeeds, holder: string): string =>
  pageTokens.signForm(holder, now());

/** True when the form was shown to one of `holders` and its token has not expired. */
export const isPageFormOf = ({ pageTokens, now }: FormNeeds, token: string, holders: readonly string[]): boolean =>
  holders.some((holder) => pageTokens.isFormOf(token, holder, now()));
