import type { MailLanguage } from './mail.ts';

/** What a mail says. */
export interface MailText {
  readonly subject: string;
  readonly text: string;
}

interface MailTexts {
  readonly passwordReset: (link: string) => MailText;
  readonly confirmAddress: (link: string) => MailText;
  readonly passwordChanged: (forgotten: string) => MailText;
  readonly addressChanged: () => MailText;
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
  },
};
