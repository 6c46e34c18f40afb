import type { AuditActor } from './rules/audit-entry.ts';
import { Refusal } from '../rules/errors.ts';
import { accountId, type AccountId } from '../rules/ids.ts';
import type { Scope } from '../rules/scope.ts';
import { keptFresh } from '../../platform/concurrency/kept-fresh.ts';
import { isSessionOpen } from './store/sessions.ts';
import { findMemberByReference, isMemberOf } from '../resellers/store/member-connections.ts';
import { confirmKeyActive, refusalOf } from './authenticate-api-key.ts';
import type { Context } from '../context.ts';

/**
 * Returns the scope of a dashboard session. One read by primary key: a sign-out or a reuse of a stolen token takes effect at
 * once, not only after the token's 15 minutes. An API key is not accepted here. Throws {@link Refusal} UNAUTHORIZED or
 * ACCOUNT_SUSPENDED.
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

/** The wording is the same for an expired token and for an ended session, so the answer reveals nothing. */
export const invalidSession = (): Refusal =>
  new Refusal('UNAUTHORIZED', 'Invalid or missing session token (Authorization: Bearer)');

/**
 * Returns the account whose browser opens a public page, from the values of its `session` cookie; null without a valid one. A
 * page token opens no route of the interface, and is valid only while its session is open. Of several tokens, the one with an
 * open session counts. With two open sessions the visitor is unknown, and the answer is null.
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

/**
 * Returns the scope in which a reseller's session acts for a member, as `X-Partner-Account` does for a key. The member is named by
 * its user id, or by the reseller's reference. Throws {@link Refusal} NOT_FOUND, with the same words for an unknown account, for another reseller's member and for a caller that is no
 * reseller. `confirmCredential` repeats the check right before a write.
 */
export async function actForMember({ store }: Pick<Context, 'store'>, scope: Scope, named: string): Promise<Scope> {
  const id = accountId(named);
  const reseller = scope.actingAccountId;
  const member = (await isMemberOf(store, reseller, id)) ? id : await findMemberByReference(store, reseller, named);
  if (member === null) throw unknownMember();
  return { ...scope, accountId: member };
}

const unknownMember = (): Refusal =>
  new Refusal('NOT_FOUND', 'No member of this account has this user id or reference (member)');

/**
 * Checks the credential again, right before a write takes effect and before a call without effect is answered. So a revoked key,
 * an ended session and a member that left its reseller stop the calls in flight as well. A process that was paused during the
 * check repeats it. Throws `Refusal` UNAUTHORIZED, ACCOUNT_SUSPENDED, what {@link confirmKeyActive} throws, and NOT_FOUND for a
 * session's member.
 */
export const confirmCredential = (context: Needs, scope: Scope): Promise<void> =>
  keptFresh(() => askOnce(context, scope))();

type Needs = Pick<Context, 'store' | 'now'>;

async function askOnce({ store, now }: Needs, scope: Scope): Promise<void> {
  const { accountId, actingAccountId, credential } = scope;
  if (credential.kind !== 'session') return confirmKeyActive({ store, now }, scope);
  const session = { sessionId: credential.sessionId, now: now() };
  const [isOpen, isLinked] = await Promise.all([
    isSessionOpen(store, actingAccountId, session),
    accountId === actingAccountId || isMemberOf(store, actingAccountId, accountId),
  ]);
  if (!isOpen) throw await refusalOf(store, actingAccountId, invalidSession());
  if (!isLinked) throw unknownMember();
}

/** A caller without a credential. */
export interface Caller {
  /** IP address. */
  readonly address: string;
  readonly requestId: string;
  /** Value of the `User-Agent` header. */
  readonly userAgent?: string | undefined;
  /** Token of the device cookie, unchanged. */
  readonly deviceToken?: string | undefined;
}

/** The actor of an audit entry: the owner of the account, with proven identity. */
export const ownerBy = (accountId: AccountId, { requestId }: Pick<Caller, 'requestId'>): AuditActor => ({
  kind: 'dashboard',
  accountId,
  keyId: null,
  requestId,
});
