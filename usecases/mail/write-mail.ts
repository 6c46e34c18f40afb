import { linkMs, usualLanguage, type LinkKind, type Mail, type MailLanguage } from '../../core/mail/mail.ts';
import { mailTexts, type MailText } from '../../core/mail/mail-texts.ts';
import { isWanted, noticePage, usualChoice, type Notice } from '../../core/mail/notice.ts';
import { hashLinkToken, newLinkToken } from '../../security/link-token.ts';
import { findAccount, findAccountByEmail, type AccountRow } from '../../store/accounts/accounts.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { insertLink } from '../../store/mail/links.ts';

interface Writing {
  readonly store: StoreConnection;
  readonly publicUrl: string;
  readonly now: () => Date;
}

type WrittenMail = MailText & { readonly to: string };

/** `asked`: the language of the page on which the mail was asked for. null when there is nobody to send it to, or no reason any more. */
export async function writeMail(writing: Writing, mail: Mail, asked: MailLanguage | null): Promise<WrittenMail | null> {
  const account = await accountOf(writing.store, mail);
  if (account === null || account.suspendedAt !== undefined) return null;
  const to = recipientOf(mail, account);
  if (to === null) return null;
  return { to, ...(await textOf(writing, { mail, account, language: asked ?? account.language ?? usualLanguage })) };
}

/** null when the mail is not to be sent any more, or not to this account. */
function recipientOf(mail: Mail, account: AccountRow): string | null {
  const confirmed = account.emailVerifiedAt === undefined ? null : account.email;
  switch (mail.kind) {
    case 'password_reset':
    case 'address_changed':
      return mail.email;
    case 'confirm_address':
      return mail.passwordNumber === (account.passwordNumber ?? 0) ? mail.email : null;
    case 'password_changed':
      return confirmed;
    case 'notice':
      return isWanted(mail.notice, account.notices ?? usualChoice) ? confirmed : null;
  }
}

async function textOf(
  writing: Writing,
  { mail, account, language }: { mail: Mail; account: AccountRow; language: MailLanguage },
): Promise<MailText> {
  const texts = mailTexts[language];
  switch (mail.kind) {
    case 'password_reset':
      return texts.passwordReset(await makeLink(writing, account, mail));
    case 'confirm_address':
      return texts.confirmAddress(await makeLink(writing, account, mail));
    case 'password_changed':
      return texts.passwordChanged(`${writing.publicUrl}/dashboard/forgotten-password`);
    case 'notice':
      return texts.notice(mail.notice, linksOf(writing, mail.notice));
    case 'address_changed':
      return texts.addressChanged();
  }
}

const accountOf = (store: StoreConnection, mail: Mail): Promise<AccountRow | null> =>
  mail.kind === 'password_reset' ? findAccountByEmail(store, mail.email) : findAccount(store, mail.accountId);

const linksOf = ({ publicUrl }: Writing, notice: Notice) => ({
  page: `${publicUrl}/dashboard${noticePage(notice)}`,
  settings: `${publicUrl}/dashboard/security`,
});

const pages: Readonly<Record<LinkKind, string>> = {
  password_reset: 'reset-password',
  confirm_address: 'confirm-email',
};

/** The token stands in the fragment of the address, which browsers send to no server, so no log has it. */
async function makeLink(
  { store, publicUrl, now }: Writing,
  account: AccountRow,
  { kind, email }: { readonly kind: LinkKind; readonly email: string },
): Promise<string> {
  const token = newLinkToken();
  await insertLink(store, {
    ...{ _id: hashLinkToken(token), kind, accountId: account._id, email },
    passwordNumber: account.passwordNumber ?? 0,
    expiresAt: new Date(now().getTime() + linkMs[kind]),
  });
  return `${publicUrl}/dashboard/${pages[kind]}#token=${token}`;
}
