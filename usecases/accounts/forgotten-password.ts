import type { FieldProblem, Refusal } from '../../core/errors.ts';
import type { LinkKind } from '../../core/mail/mail.ts';
import { passwordProblems } from '../../schemas/accounts/sign-in.ts';
import type { ForgottenPassword, PasswordReset } from '../../schemas/accounts/own-account.ts';
import { validationFailed } from '../../schemas/compile-schema.ts';
import { hashLinkToken } from '../../security/fingerprint.ts';
import { resetPassword } from '../../store/accounts/account-links.ts';
import { findAccount, type AccountRow } from '../../store/accounts/accounts.ts';
import { dueLine } from '../../store/dispatch/due-rows.ts';
import { findLink, type LinkRow } from '../../store/mail/links.ts';
import { insertMail } from '../../store/mail/mails.ts';
import type { Context } from '../context.ts';
import { lineOfAddress, newMail, requireMail } from '../mail/account-mail.ts';
import { ownerBy, type Caller } from './authenticate.ts';
import { emailFingerprint } from './own-sessions.ts';
import { spendAttempt } from './sign-in-limits.ts';

type Asking = Pick<Context, 'store' | 'signInLimits' | 'sendsMail' | 'ring' | 'newId' | 'now'>;

/**
 * Stores that a link to a new password is to be sent. The account is looked up when the mail is sent, by another process, so
 * neither the answer nor its time can tell whether there is one. Throws {@link Refusal} RATE_LIMITED, or UNAVAILABLE without a mail
 * server.
 */
export async function askForNewPassword(
  context: Asking,
  { address }: Pick<Caller, 'address'>,
  { email, language }: ForgottenPassword,
): Promise<void> {
  requireMail(context);
  await spendAttempt(context.signInLimits.loginByAddress(address));
  await spendAttempt(context.signInLimits.mailByEmail(emailFingerprint(email)));
  const line = lineOfAddress(email);
  await insertMail(context.store, newMail(context, { line, mail: { kind: 'password_reset', email }, language }));
  context.ring(dueLine('mails', 'worker', line));
}

type Resetting = Pick<Context, 'store' | 'signInLimits' | 'passwords' | 'ring' | 'newId' | 'now'>;

/**
 * Sets a new password by the link of a mail, which then counts no longer, and ends all sessions. Throws {@link Refusal}
 * VALIDATION_FAILED for the field `token` when the link is unknown, used or too old, or the password or the address has changed
 * since; RATE_LIMITED.
 */
export async function setForgottenPassword(
  context: Resetting,
  caller: Pick<Caller, 'address' | 'requestId'>,
  { token, newPassword }: PasswordReset,
): Promise<void> {
  const { store, passwords, signInLimits, ring, newId, now } = context;
  await spendAttempt(signInLimits.loginByAddress(caller.address));
  const hash = hashLinkToken(token);
  const { account, email } = await openLink(context, { hash, kind: 'password_reset' });
  if (account.email !== email) throw deadLink();
  const problems = passwordProblems({ field: 'newPassword', password: newPassword, email });
  if (problems.length > 0) throw validationFailed(problems);
  const newHash = await passwords.hash(newPassword);
  const [at, accountId] = [now(), account._id];
  const isReset = await resetPassword(store, {
    ...{ link: { hash, usedBy: newId() }, account, newHash, at },
    audit: (sessionsEnded) => ({
      ...{ accountId, actor: ownerBy(accountId, caller), at },
      ...{ kind: 'password_reset', details: { sessionsEnded } },
    }),
    mail: newMail(context, { line: accountId, mail: { kind: 'password_changed', accountId } }),
  });
  if (!isReset) throw deadLink();
  ring(dueLine('mails', 'worker', accountId));
}

/** The account of a link that still counts. Throws {@link deadLink}. */
export async function openLink(
  { store, now }: Pick<Context, 'store' | 'now'>,
  { hash, kind }: { readonly hash: string; readonly kind: LinkKind },
): Promise<Pick<LinkRow, 'email'> & { readonly account: AccountRow }> {
  const link = await findLink(store, { hash, kind, now: now() });
  const account = link === null ? null : await findAccount(store, link.accountId);
  if (link === null || account === null || (account.passwordNumber ?? 0) !== link.passwordNumber) throw deadLink();
  return { email: link.email, account };
}

export const deadLink = (): Refusal => validationFailed([deadToken]);

const deadToken: FieldProblem = { field: 'token', message: 'is of a link that was used, is too old or never was' };
