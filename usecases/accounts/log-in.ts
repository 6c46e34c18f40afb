import type { AuditEntry } from '../../core/audit/audit-entry.ts';
import { Refusal } from '../../core/errors.ts';
import type { Login } from '../../schemas/accounts/sign-in.ts';
import { deviceTokenLifetimeSeconds } from '../../security/signed-token.ts';
import { isOutdatedHash, type PasswordCaller } from '../../security/password.ts';
import { Secret } from '../../security/secret.ts';
import { findAccountByEmail, replacePasswordHash, type AccountRow } from '../../store/accounts/accounts.ts';
import { insertSession } from '../../store/accounts/sessions.ts';
import type { Context } from '../context.ts';
import { ownerBy, type Caller } from './authenticate.ts';
import {
  describeSession,
  emailFingerprint,
  pageToken,
  prepareSession,
  type CookieToken,
  type OpenedSession,
} from './own-sessions.ts';
import { accountSuspended } from './suspended.ts';
import { addressKey, spendAttempt } from './sign-in-limits.ts';

export type SignInContext = Pick<
  Context,
  'store' | 'sessions' | 'devices' | 'pageTokens' | 'passwords' | 'signInLimits' | 'logger' | 'now' | 'newId'
>;

export interface SignedIn extends OpenedSession {
  readonly device: CookieToken;
}

/**
 * Opens a session. Throws {@link Refusal} RATE_LIMITED, whatever the password. UNAUTHORIZED comes in the same time and words for
 * a wrong email and for a wrong password. ACCOUNT_SUSPENDED comes only with the right password. UNAVAILABLE comes when too many
 * callers sign in at once.
 */
export async function logIn(context: SignInContext, caller: Caller, login: Login): Promise<SignedIn> {
  const who = await spendLogin(context, caller, login.email);
  const account = await findAccountByEmail(context.store, login.email);
  const isRight = await context.passwords.verify(account?.passwordHash, login.password, who);
  if (account === null || !isRight) {
    if (who === 'stranger') await context.signInLimits.wrongLogins.note();
    noteRefused(context, caller, account);
    throw wrongLogin();
  }
  if (account.suspendedAt !== undefined) throw accountSuspended();
  await keepHashCurrent(context, account, login.password);
  const { row, refresh } = prepareSession(context, account._id, caller);
  const audit: AuditEntry = {
    accountId: account._id,
    actor: ownerBy(account._id, caller),
    kind: 'signed_in',
    at: row.createdAt,
    details: { sessionId: row._id, address: caller.address },
  };
  if (!(await insertSession(context.store, row, { account, audit }))) throw wrongLogin();
  const session = describeSession(context, account, row);
  return { session, refresh, page: pageToken(context, row), device: deviceCookie(context, account.email) };
}

const wrongLogin = (): Refusal => new Refusal('UNAUTHORIZED', 'Wrong email address or password');

/** Shows guessing to the operator of the service. The email is never logged, because people type their password there, too. */
export function noteRefused(
  { logger }: Pick<SignInContext, 'logger'>,
  { address, requestId }: Pick<Caller, 'address' | 'requestId'>,
  account: AccountRow | null,
): void {
  const addressFingerprint = addressKey(address).slice(0, 16);
  logger.info({ accountId: account?._id ?? null, addressFingerprint, requestId }, 'sign_in.refused');
}

/**
 * The address is charged first, so a stopped address takes no attempts from the owner of an email. While passwords are guessed
 * from many addresses, an unknown browser's attempt costs its address ten points. A limit that refuses all unknown browsers would
 * lock out owners on a new machine.
 */
async function spendLogin(
  { signInLimits, devices, now }: SignInContext,
  caller: Caller,
  email: string,
): Promise<PasswordCaller> {
  const fingerprint = emailFingerprint(email);
  const known = caller.deviceToken === undefined ? undefined : devices.verify(caller.deviceToken, fingerprint, now());
  const byAddress = signInLimits.loginByAddress(caller.address);
  if (known === undefined) {
    await spendAttempt(byAddress, signInLimits.wrongLogins.areMany() ? 10 : 1);
    await spendAttempt(signInLimits.loginByEmail(fingerprint));
    return 'stranger';
  }
  await spendAttempt(byAddress);
  await spendAttempt(signInLimits.loginByDevice(known.device));
  return 'known';
}

/** The password is only known during a login, so its hash is renewed here. A failure is logged, and the login goes on. */
async function keepHashCurrent(
  { store, passwords, logger }: SignInContext,
  account: AccountRow,
  password: string,
): Promise<void> {
  if (!isOutdatedHash(account.passwordHash)) return;
  try {
    await replacePasswordHash(store, account, await passwords.hash(password));
  } catch (error) {
    logger.warn({ accountId: account._id, err: error }, 'password.rehash_failed');
  }
}

/** Gives this browser its own attempts from now on (`loginByDevice`). */
export const deviceCookie = ({ devices, now }: Pick<SignInContext, 'devices' | 'now'>, email: string): CookieToken => ({
  token: new Secret(devices.sign(emailFingerprint(email), now())),
  maxAgeSeconds: deviceTokenLifetimeSeconds,
});
