import type { AccessGrant } from './rules/account-access.ts';
import { auditBy, type AuditActor, type AuditEntry } from './rules/audit-entry.ts';
import { Refusal } from '../rules/errors.ts';
import { problem } from '../rules/field-problems.ts';
import type { LinkKind } from '../mail/rules/mail.ts';
import type { Scope } from '../rules/scope.ts';
import type { EmailChange, ForgottenPassword, PasswordReset } from '../../schemas/accounts/own-account.ts';
import { passwordProblems } from '../../schemas/accounts/sign-in.ts';
import { validationFailed } from '../../schemas/compile-schema.ts';
import { emailFingerprint, hashLinkToken, mailboxFingerprint } from '../../platform/security/fingerprint.ts';
import { confirmAddress, resetPassword, revokeByLink } from './store/account-links.ts';
import { findAccount, type AccountRow } from './store/accounts.ts';
import { recordAudit } from './store/audit.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { inTransaction, type Session } from '../../platform/database/transaction.ts';
import { findLink, type LinkRow } from '../mail/store/links.ts';
import { insertMail } from '../mail/store/mails.ts';
import type { Context } from '../context.ts';
import { confirmationMail, queueOfAddress, newMail, requireMail } from '../mail/account-mail.ts';
import { describeAccess, offerRevocation, readAccess, revokeAccess } from './account-access.ts';
import { invalidSession, ownerBy, type Caller } from './authenticate-session.ts';
import { noteRefused } from './log-in.ts';
import { spendAttempt } from './sign-in-limits.ts';

type Asking = Pick<
  Context,
  'store' | 'passwords' | 'signInLimits' | 'sendsMail' | 'confirmCredential' | 'logger' | 'newId' | 'now'
>;
type Asker = Pick<Caller, 'address' | 'requestId'>;

/**
 * Sends a link to the new address; the account keeps its own until the link is opened. Answers the same whether another account has
 * the address. An attempt counts like a login of a known browser. Throws {@link Refusal} VALIDATION_FAILED, also for a wrong
 * password, RATE_LIMITED, or UNAVAILABLE without a mail server.
 */
export async function askForNewEmail(
  context: Asking,
  scope: Scope,
  { email, password, caller }: EmailChange & { readonly caller: Asker },
): Promise<void> {
  const { store, passwords, signInLimits, confirmCredential, now } = context;
  requireMail(context);
  const account = await findAccount(store, scope.actingAccountId);
  if (account === null || scope.credential.kind !== 'session') throw invalidSession();
  if (account.email === email) throw validationFailed([problem('email', 'same_email')]);
  await spendAttempt(signInLimits.loginByAddress(caller.address));
  await spendAttempt(signInLimits.loginByDevice(emailFingerprint(account.email)));
  await spendAttempt(signInLimits.mailByEmail(mailboxFingerprint(email)));
  if (!(await passwords.verify(account.passwordHash, password, 'known'))) {
    noteRefused(context, caller, account);
    throw validationFailed([problem('password', 'wrong_password')]);
  }
  await confirmCredential(scope);
  const audit = auditBy(scope, { kind: 'email_change_requested', at: now(), details: { email } });
  await inTransaction(store, async (session) => {
    await insertMail(store, confirmationMail(context, account, email), session);
    await recordAudit(store, audit, session);
  });
}

/** Sends the link to the account's own address once more. Throws {@link Refusal} CONFLICT when it is confirmed, RATE_LIMITED. */
export async function askForConfirmation(
  context: Pick<Context, 'store' | 'signInLimits' | 'sendsMail' | 'confirmCredential' | 'newId' | 'now'>,
  scope: Scope,
): Promise<void> {
  const { store, signInLimits, confirmCredential } = context;
  requireMail(context);
  const account = await findAccount(store, scope.actingAccountId);
  if (account === null) throw invalidSession();
  if (account.emailVerifiedAt !== undefined) throw new Refusal('CONFLICT', 'The email address is confirmed already');
  await spendAttempt(signInLimits.mailByEmail(mailboxFingerprint(account.email)));
  await confirmCredential(scope);
  await insertMail(store, confirmationMail(context, account, account.email));
}

/** What a link has taken back, what is still active, and with what token the latter is taken back; null when there is nothing. */
export interface LinkOutcome {
  readonly revoked: readonly AccessGrant[];
  readonly active: readonly AccessGrant[];
  readonly revocationToken: string | null;
}

/**
 * Uses the link of a mail: the address is proven, and from now on the account's own. The former address gets a mail.
 * Throws {@link Refusal} VALIDATION_FAILED for the field `token`, CONFLICT when another account has the address,
 * RATE_LIMITED.
 */
export async function confirmEmail(
  context: Pick<Context, 'store' | 'signInLimits' | 'newId' | 'now'>,
  caller: Asker,
  { token }: { readonly token: string },
): Promise<LinkOutcome> {
  const { store, signInLimits, newId, now } = context;
  await spendAttempt(signInLimits.loginByAddress(caller.address));
  const hash = hashLinkToken(token);
  const { account, email } = await openLink(context, { hash, kind: 'confirm_address' });
  const { _id: accountId, email: former } = account;
  const about = { accountId, actor: ownerBy(accountId, caller), at: now() };
  const isSame = former === email;
  const mail = newMail(context, { queue: accountId, mail: { kind: 'address_changed', accountId, email: former } });
  const outcome = await confirmAddress(store, {
    link: { hash, usedBy: newId() },
    account,
    email,
    at: about.at,
    also: async (session) => {
      await recordAudit(store, entryOf(about, { email, former }), session);
      if (!isSame) await insertMail(store, mail, session);
      return tellActive(store, { ...account, email }, { at: about.at, session });
    },
  });
  if (outcome === null) throw deadLink();
  if (outcome === 'taken') throw new Refusal('CONFLICT', 'This email address has an account of its own');
  return outcome;
}

const entryOf = (
  about: Pick<AuditEntry, 'accountId' | 'actor' | 'at'>,
  { email, former }: { readonly email: string; readonly former: string },
): AuditEntry =>
  email === former
    ? { ...about, kind: 'email_confirmed', details: { email } }
    : { ...about, kind: 'email_changed', details: { email, former } };

/** Part of the transaction of a link. Its reader proved the address of the account, so they may take all access back. */
async function tellActive(
  store: StoreConnection,
  account: Pick<AccountRow, '_id' | 'email' | 'passwordNumber'>,
  { at, session }: { readonly at: Date; readonly session: Session },
): Promise<LinkOutcome> {
  const active = await describeAccess(store, await readAccess(store, account._id, session));
  const revocationToken = active.length === 0 ? null : await offerRevocation(store, account, { at, session });
  return { revoked: [], active, revocationToken };
}

type AskingForgotten = Pick<Context, 'store' | 'signInLimits' | 'sendsMail' | 'newId' | 'now'>;

/**
 * Stores that a link to a new password is to be sent. Another process looks the account up when it sends the mail. So neither
 * the answer nor its time shows whether there is one. Throws {@link Refusal} RATE_LIMITED, or UNAVAILABLE without a mail
 * server.
 */
export async function askForNewPassword(
  context: AskingForgotten,
  { address }: Pick<Caller, 'address'>,
  { email, language }: ForgottenPassword,
): Promise<void> {
  requireMail(context);
  await spendAttempt(context.signInLimits.loginByAddress(address));
  await spendAttempt(context.signInLimits.mailByEmail(mailboxFingerprint(email)));
  const queue = queueOfAddress(email);
  await insertMail(context.store, newMail(context, { queue, mail: { kind: 'password_reset', email }, language }));
}

type Resetting = Pick<Context, 'store' | 'signInLimits' | 'passwords' | 'newId' | 'now'>;

/**
 * Sets a new password by the link of a mail, which is then used up, and ends all sessions. While the address was never confirmed,
 * the account may be the work of a stranger who registered it: then all that acts for it is taken back as well. Throws
 * {@link Refusal} VALIDATION_FAILED for the field `token` when the link is unknown, used or expired, or the password or the
 * address has changed since; RATE_LIMITED.
 */
export async function setForgottenPassword(
  context: Resetting,
  caller: Asker,
  { token, newPassword }: PasswordReset,
): Promise<LinkOutcome> {
  const { store, passwords, signInLimits, newId, now } = context;
  await spendAttempt(signInLimits.loginByAddress(caller.address));
  const hash = hashLinkToken(token);
  const { account, email } = await openLink(context, { hash, kind: 'password_reset' });
  if (account.email !== email) throw deadLink();
  const problems = passwordProblems({ field: 'newPassword', password: newPassword, email });
  if (problems.length > 0) throw validationFailed(problems);
  const newHash = await passwords.hash(newPassword);
  const [at, accountId, usedBy] = [now(), account._id, newId()];
  const actor = ownerBy(accountId, caller);
  const outcome = await resetPassword(store, {
    link: { hash, usedBy },
    account,
    newHash,
    at,
    also: async (session, { sessionsEnded }) => {
      await recordAudit(store, { accountId, actor, at, kind: 'password_reset', details: { sessionsEnded } }, session);
      const told = await afterReset(store, account, { actor, at, session });
      const mail = { kind: 'password_changed', accountId, revoked: told.revoked, active: told.active } as const;
      await insertMail(store, { ...newMail(context, { queue: accountId, mail }), id: usedBy }, session);
      return told;
    },
  });
  if (outcome === null) throw deadLink();
  return outcome;
}

async function afterReset(
  store: StoreConnection,
  account: AccountRow,
  { actor, at, session }: { readonly actor: AuditActor; readonly at: Date; readonly session: Session },
): Promise<LinkOutcome> {
  if (account.emailVerifiedAt === undefined) {
    const access = await revokeAccess(store, account._id, { actor, at, session });
    return { revoked: await describeAccess(store, access), active: [], revocationToken: null };
  }
  const passwordNumber = (account.passwordNumber ?? 0) + 1;
  return tellActive(store, { ...account, passwordNumber }, { at, session });
}

/**
 * Takes back all that acts for the account, and ends its sessions, by the token of a mail or of the answer to one of its links.
 * Throws {@link Refusal} VALIDATION_FAILED for the field `token`, RATE_LIMITED.
 */
export async function revokeByToken(
  context: Pick<Context, 'store' | 'signInLimits' | 'newId' | 'now'>,
  caller: Asker,
  { token }: { readonly token: string },
): Promise<Pick<LinkOutcome, 'revoked'>> {
  const { store, signInLimits, newId, now } = context;
  await spendAttempt(signInLimits.loginByAddress(caller.address));
  const hash = hashLinkToken(token);
  const { account } = await openLink(context, { hash, kind: 'revoke_access' });
  const [at, accountId] = [now(), account._id];
  const actor = ownerBy(accountId, caller);
  const revoked = await revokeByLink(store, {
    link: { hash, usedBy: newId() },
    account,
    at,
    also: async (session, { sessionsEnded: sessions }) => {
      const ended = { kind: 'sessions_ended', details: { sessionId: null, sessions } } as const;
      if (sessions > 0) await recordAudit(store, { accountId, actor, at, ...ended }, session);
      return describeAccess(store, await revokeAccess(store, accountId, { actor, at, session }));
    },
  });
  if (revoked === null) throw deadLink();
  return { revoked };
}

/** The account of a valid link. Throws {@link deadLink}, also while the account is suspended. */
async function openLink(
  { store, now }: Pick<Context, 'store' | 'now'>,
  { hash, kind }: { readonly hash: string; readonly kind: LinkKind },
): Promise<Pick<LinkRow, 'email'> & { readonly account: AccountRow }> {
  const link = await findLink(store, { hash, kind, now: now() });
  const account = link === null ? null : await findAccount(store, link.accountId);
  if (link === null || account === null || (account.passwordNumber ?? 0) !== link.passwordNumber) throw deadLink();
  if (account.suspendedAt !== undefined) throw deadLink();
  return { email: link.email, account };
}

const deadLink = (): Refusal => validationFailed([problem('token', 'dead_link')]);
