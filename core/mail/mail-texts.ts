import type { MailLanguage } from './mail.ts';
import type { Notice } from './notice.ts';

/** What a mail says. */
export interface MailText {
  readonly subject: string;
  readonly text: string;
}

/** Pages of the dashboard. */
export interface NoticeLinks {
  /** Where the reader sees it, and does something about it. */
  readonly page: string;
  /** Where notices are switched off. */
  readonly settings: string;
}

interface MailTexts {
  readonly passwordReset: (link: string) => MailText;
  readonly confirmAddress: (link: string) => MailText;
  readonly passwordChanged: (forgotten: string) => MailText;
  readonly addressChanged: () => MailText;
  readonly notice: (notice: Notice, links: NoticeLinks) => MailText;
}

const lines = (...paragraphs: readonly string[]): string => `${paragraphs.join('\n\n')}\n\nitembridge\n`;

/**
 * The mails that are about the account itself. None names a person or an organisation: an account that is not confirmed may hold any
 * text, and would have us send it to any address.
 */
export const mailTexts: Readonly<Record<MailLanguage, MailTexts>> = {
  sv: {
    passwordReset: (link) => ({
      subject: 'Välj ett nytt lösenord',
      text: lines(
        'Hej!',
        'Någon har bett om ett nytt lösenord till ditt konto hos itembridge. Välj det här:',
        link,
        'Länken fungerar i en timme och bara en gång. När lösenordet är bytt loggas kontot ut överallt.',
        'Var det inte du? Då behöver du inte göra något. Ditt lösenord gäller fortfarande.',
      ),
    }),
    confirmAddress: (link) => ({
      subject: 'Bekräfta din e-postadress',
      text: lines(
        'Hej!',
        'Bekräfta att den här e-postadressen är din, så kan itembridge skicka meddelanden om ditt konto hit:',
        link,
        'Länken fungerar i ett dygn. Känner du inte till något konto hos itembridge? Då kan du bortse från det här mejlet.',
      ),
    }),
    passwordChanged: (forgotten) => ({
      subject: 'Ditt lösenord är bytt',
      text: lines(
        'Hej!',
        'Lösenordet till ditt konto hos itembridge har bytts.',
        'Var det inte du? Välj då genast ett nytt, så loggas alla andra ut:',
        forgotten,
      ),
    }),
    addressChanged: () => ({
      subject: 'Ditt konto har fått en ny e-postadress',
      text: lines(
        'Hej!',
        'Ditt konto hos itembridge har fått en ny e-postadress. Det går inte längre att logga in med den här, och meddelanden skickas till den nya.',
        'Var det inte du? Kontakta då den som driver tjänsten så snart du kan.',
      ),
    }),
    notice: (notice, { page, settings }) => {
      const { subject, body } = swedishNotice(notice);
      return { subject, text: lines('Hej!', body, page, `Vilka mejl du får väljer du här: ${settings}`) };
    },
  },
  en: {
    passwordReset: (link) => ({
      subject: 'Choose a new password',
      text: lines(
        'Hello,',
        'A new password was requested for your itembridge account. Choose it here:',
        link,
        'The link works for one hour, and only once. Changing the password signs the account out everywhere.',
        'If you did not ask for this, there is nothing you need to do. Your password has not changed.',
      ),
    }),
    confirmAddress: (link) => ({
      subject: 'Confirm your email address',
      text: lines(
        'Hello,',
        'Please confirm that this email address is yours, so that itembridge can send you messages about your account:',
        link,
        'The link works for 24 hours. If you know of no itembridge account, you can ignore this email.',
      ),
    }),
    passwordChanged: (forgotten) => ({
      subject: 'Your password has been changed',
      text: lines(
        'Hello,',
        'The password of your itembridge account has been changed.',
        'If this was not you, choose a new one right away. That signs out everyone else:',
        forgotten,
      ),
    }),
    addressChanged: () => ({
      subject: 'Your account has a new email address',
      text: lines(
        'Hello,',
        'Your itembridge account has a new email address. You can no longer sign in with this one, and messages go to the new one.',
        'If this was not you, contact the people who run the service as soon as you can.',
      ),
    }),
    notice: (notice, { page, settings }) => {
      const { subject, body } = englishNotice(notice);
      return { subject, text: lines('Hello,', body, page, `Choose which emails you get here: ${settings}`) };
    },
  },
};

interface NoticeText {
  readonly subject: string;
  readonly body: string;
}

function swedishNotice(notice: Notice): NoticeText {
  switch (notice.what) {
    case 'webhook_disabled':
      return {
        subject: 'En webhook har stängts av',
        body: `Webhooken till ${notice.origin} har misslyckats för många gånger och är avstängd. Det som hänt sedan dess sparas, och kan skickas när mottagaren svarar igen:`,
      };
    case 'token_expired':
      return {
        subject: 'Anslutningen till marknadsplatsen har gått ut',
        body: 'Marknadsplatsen godkänner inte längre kontots anslutning. Inga annonser läggs upp eller ändras förrän du har anslutit igen:',
      };
    case 'renewal_failed':
      return {
        subject: 'Betalningen för Pro gick inte igenom',
        body: 'Pro kunde inte förnyas, eftersom betalningen inte gick igenom. Betala fakturan som du har fått från vår betaltjänst, så gäller Pro igen:',
      };
    case 'sale':
      return {
        subject: `Såld: ${notice.externalId}`,
        body: `Artikeln ${notice.externalId} är såld för ${swedishMoney.format(notice.priceKronor)}.`,
      };
  }
}

function englishNotice(notice: Notice): NoticeText {
  switch (notice.what) {
    case 'webhook_disabled':
      return {
        subject: 'A webhook has been switched off',
        body: `The webhook to ${notice.origin} has failed too many times and is switched off. What has happened since is kept, and can be sent once the receiver answers again:`,
      };
    case 'token_expired':
      return {
        subject: 'The connection to the marketplace has expired',
        body: 'The marketplace no longer accepts the connection of this account. No listing is published or changed until you connect again:',
      };
    case 'renewal_failed':
      return {
        subject: 'The payment for Pro failed',
        body: 'Pro could not be renewed, because the payment failed. Pay the invoice that our payment provider has sent you, and Pro is yours again:',
      };
    case 'sale':
      return {
        subject: `Sold: ${notice.externalId}`,
        body: `The item ${notice.externalId} has been sold for ${englishMoney.format(notice.priceKronor)}.`,
      };
  }
}

const money = { style: 'currency', currency: 'SEK', minimumFractionDigits: 0 } as const;
const swedishMoney = new Intl.NumberFormat('sv-SE', money);
const englishMoney = new Intl.NumberFormat('en-GB', money);
