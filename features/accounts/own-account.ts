import { auditBy } from './rules/audit-entry.ts';
import { Refusal } from '../rules/errors.ts';
import { problem, type FieldProblem } from '../rules/field-problems.ts';
import type { AccountId } from '../rules/ids.ts';
import { usualChoice, usualLanguage, type NoticeChoice } from '../mail/rules/mail.ts';
import type { Scope } from '../rules/scope.ts';
import type { NoticesView, NoticesWish } from '../../schemas/accounts/own-account.ts';
import { passwordProblems, type PasswordChange } from '../../schemas/accounts/sign-in.ts';
import { validationFailed } from '../../schemas/compile-schema.ts';
import { emailFingerprint } from '../../platform/security/fingerprint.ts';
import { findAccount, findAccountNames, storeNoticeChoice } from './store/accounts.ts';
import { recordAudit } from './store/audit.ts';
import { replacePassword } from './store/sessions.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { insertMail } from '../mail/store/mails.ts';
import { findCurrentDeal } from '../resellers/store/deals.ts';
import { findProfile } from '../resellers/store/profiles.ts';
import type { Context } from '../context.ts';
import { newMail, nextSummary, requireMail } from '../mail/account-mail.ts';
import { invalidSession, type Caller } from './authenticate-session.ts';
import { noteRefused } from './log-in.ts';
import { describeAccount } from './own-sessions.ts';
import { spendAttempt } from './sign-in-limits.ts';

/**
 * Returns the signed-in account with its pages and rights. Throws {@link Refusal} UNAUTHORIZED when the account of a valid token
 * no longer exists.
 */
export async function readOwnAccount({ store, login }: Pick<Context, 'store' | 'login'>, scope: Scope) {
  const account = scope.actingAccountId;
  const [row, deal] = await Promise.all([findAccount(store, account), findCurrentDeal(store, account)]);
  if (row === null) throw new Refusal('UNAUTHORIZED', 'The account of this session does not exist');
  const resellerOf = deal?.kind === 'sub_account' ? deal.resellerAccountId : null;
  const [reseller, memberOf] = await Promise.all([
    deal?.kind === 'reseller_agreement' ? describePage(store, account) : null,
    resellerOf === null ? null : describePage(store, resellerOf),
  ]);
  return {
    ...describeAccount(row),
    emailConfirmed: row.emailVerifiedAt !== undefined,
    isOperator: row.operator === true,
    hasMarketplaceLogin: login !== null,
    reseller,
    memberOf,
  };
}

async function describePage(store: StoreConnection, account: AccountId) {
  const [profile, names] = await Promise.all([findProfile(store, account), findAccountNames(store, [account])]);
  return { slug: profile?.slug ?? null, displayName: profile?.displayName ?? names.get(account) ?? '' };
}

type Needs = Pick<Context, 'store' | 'passwords' | 'signInLimits' | 'confirmCredential' | 'logger' | 'newId' | 'now'>;

export interface PasswordWish extends PasswordChange {
  readonly caller: Pick<Caller, 'address' | 'requestId'>;
}

/**
 * Replaces the password of the session's account and ends all its other sessions, so sessions of a thief end too. An attempt
 * counts like a login of a known browser. Throws {@link Refusal} VALIDATION_FAILED, also for a wrong old password: a 401 would
 * say that the session is over. Also throws RATE_LIMITED, and CONFLICT when another call has changed the password meanwhile.
 */
export async function changePassword(context: Needs, scope: Scope, wish: PasswordWish): Promise<void> {
  const { store, passwords, signInLimits, confirmCredential, now } = context;
  const { oldPassword, newPassword, caller } = wish;
  const account = await findAccount(store, scope.actingAccountId);
  if (account === null || scope.credential.kind !== 'session') throw invalidSession();
  refuse(problemsOf(wish, account.email));
  await spendAttempt(signInLimits.loginByAddress(caller.address));
  await spendAttempt(signInLimits.loginByDevice(emailFingerprint(account.email)));
  if (!(await passwords.verify(account.passwordHash, oldPassword, 'known'))) {
    noteRefused(context, caller, account);
    refuse([problem('oldPassword', 'wrong_password')]);
  }
  const newHash = await passwords.hash(newPassword, 'known');
  await confirmCredential(scope);
  const at = now();
  const audit = (sessionsEnded: number) => auditBy(scope, { kind: 'password_changed', at, details: { sessionsEnded } });
  const { _id: accountId } = account;
  const mail = newMail(context, { queue: accountId, mail: { kind: 'password_changed', accountId } });
  const replacement = { newHash, keep: scope.credential.sessionId, at, audit, mail };
  if (!(await replacePassword(store, account, replacement)))
    throw new Refusal('CONFLICT', 'The password was changed meanwhile, by another call');
}

function problemsOf({ oldPassword, newPassword }: PasswordChange, email: string): FieldProblem[] {
  const field = 'newPassword';
  if (oldPassword === newPassword) return [problem(field, 'same_password')];
  return passwordProblems({ field, password: newPassword, email });
}

function refuse(problems: readonly FieldProblem[]): void {
  if (problems.length > 0) throw validationFailed(problems);
}

/** The notices that the account gets; the defaults when it has chosen none. */
export async function readNotices(
  { store, sendsMail }: Pick<Context, 'store' | 'sendsMail'>,
  scope: Scope,
): Promise<NoticesView> {
  const account = await findAccount(store, scope.actingAccountId);
  if (account === null) throw invalidSession();
  const { notices = usualChoice, language = usualLanguage, emailVerifiedAt } = account;
  return { ...notices, language, isAvailable: sendsMail && emailVerifiedAt !== undefined };
}

/** Throws {@link Refusal} UNAVAILABLE without a mail server. */
export async function chooseNotices(
  context: Pick<Context, 'store' | 'sendsMail' | 'confirmCredential' | 'now'>,
  scope: Scope,
  { language, webhookDisabled, tokenExpired, sale, weeklySummary }: NoticesWish,
): Promise<NoticesView> {
  const notices: NoticeChoice = { webhookDisabled, tokenExpired, sale, weeklySummary };
  const { store, confirmCredential, now } = context;
  requireMail(context);
  await confirmCredential(scope);
  const audit = auditBy(scope, { kind: 'notices_changed', at: now(), details: { ...notices, language } });
  await inTransaction(store, async (session) => {
    await storeNoticeChoice(store, scope.actingAccountId, { notices, language, session });
    if (notices.weeklySummary) await insertMail(store, nextSummary(scope.actingAccountId, now()), session);
    await recordAudit(store, audit, session);
  });
  return readNotices(context, scope);
}
