import { accessParagraphs, type ToldAccess } from './access-texts.ts';
import type { MailLanguage, Notice } from './mail.ts';
import type { WeeklySummary } from './weekly-summary.ts';

export interface MailText {
  readonly subject: string;
  readonly text: string;
}

/** Pages of the dashboard. */
export interface NoticeLinks {
  /** The page where the reader sees the matter and can act on it. */
  readonly page: string;
  /** The page where notices are switched off. */
  readonly settings: string;
}

interface MailTexts {
  readonly passwordReset: (link: string) => MailText;
  readonly confirmAddress: (link: string) => MailText;
  readonly passwordChanged: (forgotten: string, access: ToldAccess) => MailText;
  readonly addressChanged: () => MailText;
  readonly notice: (notice: Notice, links: NoticeLinks) => MailText;
  readonly invitation: (reseller: string, link: string) => MailText;
  readonly weeklySummary: (summary: WeeklySummary, links: NoticeLinks) => MailText;
}

const lines = (...paragraphs: readonly string[]): string => `${paragraphs.join('\n\n')}\n\nitembridge\n`;

/**
 * The mails of the service. Only an invitation, and the mail after a reset, contain the name of an organisation, a reseller whose
 * agreement was granted by hand. Any other account may have any name, and could send that text to any address through us. No
 * subject contains a text of an account.
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
        'Länken fungerar i ett dygn. Har du inget konto hos itembridge? Då kan du bortse från det här mejlet.',
      ),
    }),
    passwordChanged: (forgotten, access) => ({
      subject: 'Ditt lösenord har bytts',
      text: lines(
        'Hej!',
        'Lösenordet till ditt konto hos itembridge har bytts.',
        ...accessParagraphs('sv', access),
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
    invitation: (reseller, link) => ({
      subject: 'Du är inbjuden som medlem hos en återförsäljare',
      text: lines(
        'Hej!',
        `${reseller} säljer åt sina medlemmar via itembridge och bjuder in dig att bli en av dem. Läs vad det innebär och tacka ja här:`,
        link,
        'Länken är din egen och gäller i 30 dagar. Vill du inte vara med? Då behöver du inte göra något.',
      ),
    }),
    weeklySummary: (summary, { page, settings }) => ({
      subject: swedishSummarySubject(summary),
      text: lines(
        'Hej!',
        'Så här ser det ut för ditt konto hos itembridge efter den senaste veckan:',
        swedishSummary(summary).join('\n'),
        page,
        `Vilka mejl du får väljer du här: ${settings}`,
      ),
    }),
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
        'The link works for 24 hours. If you don’t have an itembridge account, you can ignore this email.',
      ),
    }),
    passwordChanged: (forgotten, access) => ({
      subject: 'Your password has been changed',
      text: lines(
        'Hello,',
        'The password of your itembridge account has been changed.',
        ...accessParagraphs('en', access),
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
    invitation: (reseller, link) => ({
      subject: 'You are invited to become a member of a reseller',
      text: lines(
        'Hello,',
        `${reseller} sells on behalf of its members through itembridge and invites you to become one of them. See what that means and accept here:`,
        link,
        'The link is yours alone and works for 30 days. If you do not want to join, there is nothing you need to do.',
      ),
    }),
    weeklySummary: (summary, { page, settings }) => ({
      subject: englishSummarySubject(summary),
      text: lines(
        'Hello,',
        'This is how your itembridge account is doing after the past week:',
        englishSummary(summary).join('\n'),
        page,
        `Choose which emails you get here: ${settings}`,
      ),
    }),
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
        body: `Webhooken till ${notice.origin} har stängts av efter för många misslyckade leveranser. Händelserna sparas och kan skickas när mottagaren svarar igen:`,
      };
    case 'token_expired':
      return {
        subject: 'Anslutningen till marknadsplatsen har gått ut',
        body: 'Marknadsplatsen godtar inte längre kontots anslutning. Inga auktioner läggs upp eller ändras förrän du har anslutit igen:',
      };
    case 'token_expires':
      return {
        subject: 'Anslutningen till marknadsplatsen går snart ut',
        body: `Marknadsplatsen godtar kontots anslutning till och med ${notice.endsAt.slice(0, 10)}. Anslut igen före dess, så fortsätter allt utan avbrott:`,
      };
    case 'renewal_failed':
      return {
        subject: 'Betalningen för Pro gick inte igenom',
        body: 'Pro kunde inte förnyas, eftersom betalningen inte gick igenom. Betala fakturan som du har fått från vår betaltjänst, så aktiveras Pro igen:',
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
        subject: 'A webhook has been disabled',
        body: `The webhook to ${notice.origin} has been disabled after too many failed deliveries. Events are kept and can be sent when the receiver responds again:`,
      };
    case 'token_expired':
      return {
        subject: 'The connection to the marketplace has expired',
        body: 'The marketplace no longer accepts this account’s connection. No auctions are published or changed until you reconnect:',
      };
    case 'token_expires':
      return {
        subject: 'The connection to the marketplace expires soon',
        body: `The marketplace accepts this account’s connection until ${notice.endsAt.slice(0, 10)}. Reconnect before then and nothing is interrupted:`,
      };
    case 'renewal_failed':
      return {
        subject: 'The payment for Pro failed',
        body: 'Pro could not be renewed, because the payment failed. Pay the invoice from our payment provider and Pro resumes:',
      };
    case 'sale':
      return {
        subject: `Sold: ${notice.externalId}`,
        body: `The item ${notice.externalId} has been sold for ${englishMoney.format(notice.priceKronor)}.`,
      };
  }
}

const swedishSummarySubject = ({ orders, amountKronor }: WeeklySummary): string =>
  orders === 0
    ? 'Din vecka: ingen försäljning'
    : `Din vecka: ${counted(orders, ['order', 'ordrar'])}, ${swedishMoney.format(amountKronor)}`;

const swedishSummary = (summary: WeeklySummary): string[] => [
  `- Sålt: ${counted(summary.orders, ['order', 'ordrar'])}, ${swedishMoney.format(summary.amountKronor)}`,
  `- Till salu nu: ${counted(summary.activeItems, ['artikel', 'artiklar'])}`,
  ...lineIf(summary.ordersToShip, (n) => `Att skicka: ${counted(n, ['betald order', 'betalda ordrar'])}`),
  ...lineIf(summary.blockedItems, (n) => `Behöver åtgärdas: ${counted(n, ['artikel', 'artiklar'])}`),
  ...lineIf(summary.missedEvents, (n) => `Nådde inte din webhook: ${counted(n, ['händelse', 'händelser'])}`),
];

const englishSummarySubject = ({ orders, amountKronor }: WeeklySummary): string =>
  orders === 0
    ? 'Your week: no sales'
    : `Your week: ${counted(orders, ['order', 'orders'])}, ${englishMoney.format(amountKronor)}`;

const englishSummary = (summary: WeeklySummary): string[] => [
  `- Sold: ${counted(summary.orders, ['order', 'orders'])}, ${englishMoney.format(summary.amountKronor)}`,
  `- For sale now: ${counted(summary.activeItems, ['item', 'items'])}`,
  ...lineIf(summary.ordersToShip, (n) => `To be shipped: ${counted(n, ['paid order', 'paid orders'])}`),
  ...lineIf(summary.blockedItems, (n) => `Need attention: ${counted(n, ['item', 'items'])}`),
  ...lineIf(summary.missedEvents, (n) => `Did not reach your webhook: ${counted(n, ['event', 'events'])}`),
];

const counted = (count: number, [one, several]: readonly [string, string]): string =>
  `${count} ${count === 1 ? one : several}`;
const lineIf = (count: number, line: (count: number) => string): string[] => (count === 0 ? [] : [`- ${line(count)}`]);

const money = { style: 'currency', currency: 'SEK', trailingZeroDisplay: 'stripIfInteger' } as const;
const swedishMoney = new Intl.NumberFormat('sv-SE', money);
const englishMoney = new Intl.NumberFormat('en-GB', money);
