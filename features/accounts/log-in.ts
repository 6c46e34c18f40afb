import type { AuditEntry } from './rules/audit-entry.ts';
import { Refusal } from '../rules/errors.ts';
import { accountId } from '../rules/ids.ts';
import type { Login, Registration } from '../../schemas/accounts/sign-in.ts';
import { emailFingerprint, mailboxFingerprint } from '../../platform/security/fingerprint.ts';
import { isOutdatedHash, type PasswordCaller } from '../../platform/security/password.ts';
import { Secret } from '../../platform/security/secret.ts';
import { deviceTokenLifetimeSeconds } from '../../platform/security/signed-token.ts';
import { findAccountByEmail, replacePasswordHash, type AccountRow } from './store/accounts.ts';
import { insertAccountAndSession, insertSession } from './store/sessions.ts';
import type { Context } from '../context.ts';
import { confirmationMail } from '../mail/account-mail.ts';
import { accountSuspended } from './authenticate-api-key.ts';
import { ownerBy, type Caller } from './authenticate-session.ts';
import { describeSession, pageToken, prepareSession, type CookieToken, type OpenedSession } from './own-sessions.ts';
import { addressKey, spendAttempt } from './sign-in-limits.ts';

type SignInContext = Pick<
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

/** Reports guessing to the operator. The email is never logged, because people type their password there, too. */
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

/** Gives this browser attempts of its own from now on (`loginByDevice`). */
const deviceCookie = ({ devices, now }: Pick<SignInContext, 'devices' | 'now'>, email: string): CookieToken => ({
  token: new Secret(devices.sign(emailFingerprint(email), now())),
  maxAgeSeconds: deviceTokenLifetimeSeconds,
});

/**
 * Creates the account, opens its first session, and has its address confirmed where mails are sent. Throws {@link Refusal} CONFLICT when the email already has an account,
 * RATE_LIMITED, and UNAVAILABLE when too many callers sign in at once.
 */
export async function registerAccount(
  context: SignInContext & Pick<Context, 'sendsMail'>,
  caller: Caller,
  registration: Registration,
): Promise<SignedIn> {
  const { signInLimits, passwords } = context;
  await spendAttempt(signInLimits.registerByAddress(caller.address));
  await spendAttempt(signInLimits.registerByEmail(mailboxFingerprint(registration.email)));
  const account: AccountRow = {
    _id: accountId(context.newId()),
    email: registration.email,
    name: registration.name,
    passwordHash: await passwords.hash(registration.password),
    createdAt: context.now(),
    ...(registration.language && { language: registration.language }),
  };
  const { row, refresh } = prepareSession(context, account._id, caller);
  const about = { accountId: account._id, actor: ownerBy(account._id, caller), at: account.createdAt };
  const details = { sessionId: row._id, address: caller.address };
  const isMade = await insertAccountAndSession(context.store, {
    account,
    session: row,
    mail: context.sendsMail ? confirmationMail(context, account, account.email) : null,
    audits: [
      { ...about, kind: 'account_registered', details: { name: account.name } },
      { ...about, kind: 'signed_in', details },
    ],
  });
  if (!isMade) throw new Refusal('CONFLICT', 'This email address already has an account');
  const session = describeSession(context, account, row);
  return { session, refresh, page: pageToken(context, row), device: deviceCookie(context, account.email) };
}
