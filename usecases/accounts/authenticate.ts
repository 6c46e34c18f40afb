import type { AuditActor } from '../../core/audit/audit-entry.ts';
import { Refusal } from '../../core/errors.ts';
import { type AccountId, accountId } from '../../core/ids.ts';
import type { Scope } from '../../core/scope.ts';
import { keptFresh } from '../../platform/concurrency/kept-fresh.ts';
import { isSessionOpen } from '../../store/accounts/sessions.ts';
import { isMemberOf } from '../../store/resellers/member-connections.ts';
import { confirmKeyActive } from '../api-keys/confirm-key-active.ts';
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

/**
 * The account whose browser opens a public page, by the values of its `session` cookie; null for a visitor without one. A page token opens no route of the
 * interface, and counts as long as the session lives that it was made for. Of several the one counts whose session is open; of two
 * such it is not known which one is the visitor's.
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

export interface RecognisedToken {
  readonly accountId: AccountId;
  /** Its 15 minutes are not over; whether its session still lives is not asked. */
  readonly isCurrent: boolean;
}

/** Whose session token it is, by its signature alone; undefined for what this service has not signed. Asks no database. */
export function recogniseToken(
  { sessions, now }: Pick<Context, 'sessions' | 'now'>,
  token: string | undefined,
): RecognisedToken | undefined {
  const at = now();
  const claims = token === undefined ? undefined : sessions.verify(token, at, { isExpiredTaken: true });
  return claims && { accountId: claims.accountId, isCurrent: claims.expiresAt > at };
}

/**
 * The scope in which a reseller's session acts for a member, as `X-Partner-Account` makes it for a key. Throws {@link Refusal}
 * NOT_FOUND in the same words for an unknown account, for the member of another reseller and for a caller that is no reseller.
 * `confirmCredential` asks it once more right before a write.
 */
export async function actForMember(
  { store }: Pick<Context, 'store'>,
  scope: Scope,
  memberUserId: string,
): Promise<Scope> {
  const member = accountId(memberUserId);
  if (!(await isMemberOf(store, scope.actingAccountId, member))) throw unknownMember();
  return { ...scope, accountId: member };
}

const unknownMember = (): Refusal => new Refusal('NOT_FOUND', 'No member of this account has this user id (member)');

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

/** Who calls without a credential. */
export interface Caller {
  /** IP address. */
  readonly address: string;
  readonly requestId: string;
  /** What its program calls itself. */
  readonly userAgent?: string | undefined;
  /** The token of its device cookie, as it was sent. */
  readonly deviceToken?: string | undefined;
}

/** The actor of an audit entry: the owner of the account, who has proved it. */
export const ownerBy = (accountId: AccountId, { requestId }: Pick<Caller, 'requestId'>): AuditActor => ({
  kind: 'dashboard',
  accountId,
  keyId: null,
  requestId,
});
