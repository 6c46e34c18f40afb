import type { AccountId } from '../rules/ids.ts';
import { mailTexts, type MailText } from './rules/mail-texts.ts';
import {
  isWanted,
  linkMs,
  noticePage,
  usualChoice,
  usualLanguage,
  type LinkKind,
  type Mail,
  type MailLanguage,
} from './rules/mail.ts';
import { isQuiet } from './rules/weekly-summary.ts';
import { MailNotSent, type Mailer } from '../../gateways/mail/port.ts';
import type { Logger } from '../../platform/logger.ts';
import { hashLinkToken, newLinkToken } from '../../platform/security/fingerprint.ts';
import { findAccount, findAccountByEmail, type AccountRow } from '../accounts/store/accounts.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { insertLink } from './store/links.ts';
import { endMail, postponeMail, type MailOutcome, type MailRow } from './store/mails.ts';
import { hasResellerAgreement } from '../resellers/store/deals.ts';
import { addInvitationToken } from '../resellers/store/invitations.ts';
import { findProfile } from '../resellers/store/profiles.ts';
import { readSummary, storeNextSummary } from './weekly-summary.ts';

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
 * Sends one stored mail, or stores the time of the next try. A process that dies in between leaves the mail due, so a
 * mail may arrive twice, but none is lost. The log has the mail's id and kind, never an address or a link.
 */
export async function sendMail(context: MailContext, row: MailRow): Promise<void> {
  const { store, mailer, publicUrl, logger, onAttempt, now } = context;
  const about = { mailId: row._id, kind: row.mail?.kind, tries: row.tries };
  const end = async (outcome: MailOutcome): Promise<void> => {
    await endMail(store, row, outcome);
    logger.info({ ...about, outcome }, 'mail.ended');
    onAttempt(outcome);
  };
  if (row.mail?.kind === 'weekly_summary') await storeNextSummary(store, row.mail.accountId, now());
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

interface Writing {
  readonly store: StoreConnection;
  readonly publicUrl: string;
  readonly now: () => Date;
}

type WrittenMail = MailText & { readonly to: string };

/**
 * `asked`: the language of the page on which the mail was requested. null when there is no address, or no reason any
 * more.
 */
async function writeMail(writing: Writing, mail: Mail, asked: MailLanguage | null): Promise<WrittenMail | null> {
  const account = await accountOf(writing.store, mail);
  if (account === null || account.suspendedAt !== undefined) return null;
  const to = recipientOf(mail, account);
  if (to === null) return null;
  const text = await textOf(writing, { mail, account, language: asked ?? account.language ?? usualLanguage });
  return text === null ? null : { to, ...text };
}

/** null when the mail must not be sent any more, or not to this account. */
function recipientOf(mail: Mail, account: AccountRow): string | null {
  const confirmed = account.emailVerifiedAt === undefined ? null : account.email;
  switch (mail.kind) {
    case 'password_reset':
    case 'address_changed':
    case 'invitation':
      return mail.email;
    case 'confirm_address':
      return mail.passwordNumber === (account.passwordNumber ?? 0) ? mail.email : null;
    case 'password_changed':
      return confirmed;
    case 'notice':
      return isWanted(mail.notice, account.notices ?? usualChoice) ? confirmed : null;
    case 'weekly_summary':
      return account.notices?.weeklySummary === true ? confirmed : null;
  }
}

async function textOf(
  writing: Writing,
  { mail, account, language }: { mail: Mail; account: AccountRow; language: MailLanguage },
): Promise<MailText | null> {
  const texts = mailTexts[language];
  switch (mail.kind) {
    case 'password_reset':
      return texts.passwordReset(await makeLink(writing, account, mail));
    case 'confirm_address':
      return texts.confirmAddress(await makeLink(writing, account, mail));
    case 'password_changed': {
      const { revoked = [], active = [] } = mail;
      const link = { kind: 'revoke_access', email: account.email } as const;
      const revokeLink = active.length === 0 ? null : await makeLink(writing, account, link);
      return texts.passwordChanged(`${writing.publicUrl}/dashboard/forgotten-password`, {
        revoked,
        active,
        revokeLink,
      });
    }
    case 'notice':
      return texts.notice(mail.notice, linksTo(writing, noticePage(mail.notice)));
    case 'invitation':
      return writeInvitation(writing, mail, texts);
    case 'weekly_summary': {
      const summary = await readSummary(writing.store, account._id, new Date(mail.until));
      return isQuiet(summary) ? null : texts.weeklySummary(summary, linksTo(writing, ''));
    }
    case 'address_changed':
      return texts.addressChanged();
  }
}

const accountOf = (store: StoreConnection, mail: Mail): Promise<AccountRow | null> =>
  mail.kind === 'password_reset' ? findAccountByEmail(store, mail.email) : findAccount(store, mail.accountId);

const linksTo = ({ publicUrl }: Writing, page: string) => ({
  page: `${publicUrl}/dashboard${page}`,
  settings: `${publicUrl}/dashboard/security`,
});

const pages: Readonly<Record<LinkKind, string>> = {
  password_reset: 'reset-password',
  confirm_address: 'confirm-email',
  revoke_access: 'revoke-access',
};

/** The token is in the fragment of the address, which browsers send to no server, so no log contains it. */
async function makeLink(
  { store, publicUrl, now }: Writing,
  account: AccountRow,
  { kind, email }: { readonly kind: LinkKind; readonly email: string },
): Promise<string> {
  const token = newLinkToken();
  await insertLink(store, {
    _id: hashLinkToken(token),
    kind,
    accountId: account._id,
    email,
    passwordNumber: account.passwordNumber ?? 0,
    expiresAt: new Date(now().getTime() + linkMs[kind]),
  });
  return `${publicUrl}/dashboard/${pages[kind]}#token=${token}`;
}

/** null when the invitation was withdrawn or used meanwhile, or the reseller accepts no members any more. */
async function writeInvitation(
  { store, publicUrl, now }: Writing,
  { accountId, invitationId }: { readonly accountId: AccountId; readonly invitationId: string },
  texts: (typeof mailTexts)[MailLanguage],
): Promise<MailText | null> {
  const [profile, isReseller] = await Promise.all([
    findProfile(store, accountId),
    hasResellerAgreement(store, accountId),
  ]);
  if (profile === null || !isReseller) return null;
  const token = newLinkToken();
  const invitation = await addInvitationToken(store, { id: invitationId, hash: hashLinkToken(token), now: now() });
  if (invitation === null) return null;
  return texts.invitation(profile.displayName, `${publicUrl}/p/${profile.slug}?invitation=${token}`);
}
