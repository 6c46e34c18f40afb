import { linkMs, usualLanguage, type LinkKind, type Mail, type MailLanguage } from '../../core/mail/mail.ts';
import { mailTexts, type MailText } from '../../core/mail/mail-texts.ts';
import { isWanted, noticePage, usualChoice } from '../../core/mail/notice.ts';
import { MailNotSent, type Mailer } from '../../gateways/mail/port.ts';
import type { Logger } from '../../platform/logger.ts';
import { hashLinkToken, newLinkToken } from '../../security/link-token.ts';
import { findAccount, findAccountByEmail, type AccountRow } from '../../store/accounts/accounts.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { insertLink } from '../../store/mail/links.ts';
import { endMail, postponeMail, type MailOutcome, type MailRow } from '../../store/mail/mails.ts';

export interface MailContext {
  readonly store: StoreConnection;
  /** null: no mail server is configured. */
  readonly mailer: Mailer | null;
  readonly publicUrl: string;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** Called for each attempt. */
  readonly onAttempt: (outcome: MailOutcome | 'postponed') => void;
  readonly now: () => Date;
}

/**
 * Sends one stored mail, or stores when to try again. A process that dies in between leaves the mail due, so a mail may arrive
 * twice, and none is lost. The log names the mail's id and kind, never an address or a link.
 */
export async function sendMail(context: MailContext, row: MailRow): Promise<void> {
  const { store, mailer, publicUrl, logger, onAttempt, now } = context;
  const about = { mailId: row._id, kind: row.mail?.kind, tries: row.due?.tries };
  const end = async (outcome: MailOutcome): Promise<void> => {
    await endMail(store, row, outcome);
    logger.info({ ...about, outcome }, 'mail.ended');
    onAttempt(outcome);
  };
  if (mailer === null) return end('no_server');
  if (row.mail === null || row.giveUpAt <= now()) return end('given_up');
  const written = await writeMail(context, row.mail, row.language);
  if (written === null) return end('dropped');
  try {
    await mailer.send({ ...written, messageId: `${row._id}@${new URL(publicUrl).hostname}` });
  } catch (error) {
    if (!(error instanceof MailNotSent)) throw error;
    if (error.problem === 'refused') return end('refused');
    await postponeMail(store, row, now());
    logger.warn({ ...about, problem: error.problem, reason: error.message }, 'mail.postponed');
    onAttempt('postponed');
    return;
  }
  await end('sent');
}

type WrittenMail = MailText & { readonly to: string };

/** null when there is nobody to send it to, or no reason any more. */
async function writeMail(context: MailContext, mail: Mail, asked: MailLanguage | null): Promise<WrittenMail | null> {
  const { store, publicUrl } = context;
  const account =
    mail.kind === 'password_reset'
      ? await findAccountByEmail(store, mail.email)
      : await findAccount(store, mail.accountId);
  if (account === null || account.suspendedAt !== undefined) return null;
  const texts = mailTexts[asked ?? account.language ?? usualLanguage];
  switch (mail.kind) {
    case 'password_reset': {
      const token = await makeLink(context, account, { kind: mail.kind, email: mail.email });
      return { to: mail.email, ...texts.passwordReset(`${publicUrl}/dashboard/reset-password#token=${token}`) };
    }
    case 'confirm_address': {
      if (mail.passwordNumber !== (account.passwordNumber ?? 0)) return null;
      const token = await makeLink(context, account, { kind: mail.kind, email: mail.email });
      return { to: mail.email, ...texts.confirmAddress(`${publicUrl}/dashboard/confirm-email#token=${token}`) };
    }
    case 'password_changed':
      if (account.emailVerifiedAt === undefined) return null;
      return { to: account.email, ...texts.passwordChanged(`${publicUrl}/dashboard/forgotten-password`) };
    case 'notice': {
      if (account.emailVerifiedAt === undefined || !isWanted(mail.notice, account.notices ?? usualChoice)) return null;
      const page = `${publicUrl}/dashboard${noticePage(mail.notice)}`;
      return { to: account.email, ...texts.notice(mail.notice, { page, settings: `${publicUrl}/dashboard/security` }) };
    }
    case 'address_changed':
      return { to: mail.email, ...texts.addressChanged() };
  }
}

/** The token stands in the fragment of the address, which browsers send to no server, so no log has it. */
async function makeLink(
  { store, now }: MailContext,
  account: AccountRow,
  { kind, email }: { readonly kind: LinkKind; readonly email: string },
): Promise<string> {
  const token = newLinkToken();
  await insertLink(store, {
    ...{ _id: hashLinkToken(token), kind, accountId: account._id, email },
    passwordNumber: account.passwordNumber ?? 0,
    expiresAt: new Date(now().getTime() + linkMs[kind]),
  });
  return token;
}
