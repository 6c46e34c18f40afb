import { auditBy } from '../../core/audit/audit-entry.ts';
import type { Scope } from '../../core/scope.ts';
import { usualChoice, usualLanguage } from '../../core/mail/mail.ts';
import type { NoticesView, NoticesWish } from '../../schemas/accounts/own-account.ts';
import { findAccount, storeNoticeChoice } from '../../store/accounts/accounts.ts';
import { recordAudit } from '../../store/accounts/audit.ts';
import { inTransaction } from '../../store/database/transaction.ts';
import { insertMail } from '../../store/mail/mails.ts';
import type { Context } from '../context.ts';
import { requireMail } from '../mail/account-mail.ts';
import { nextSummary } from '../mail/weekly-summary.ts';
import { invalidSession } from './authenticate.ts';

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
  { language, ...notices }: NoticesWish,
): Promise<NoticesView> {
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
