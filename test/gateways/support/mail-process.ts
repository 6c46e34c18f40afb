// Sends one mail with the settings of its argument, JSON, and prints how that ended.
import { MailNotSent } from '../../../gateways/mail/port.ts';
import { createSmtpMailer, type SmtpSettings } from '../../../gateways/mail/smtp-mailer.ts';

const settings = JSON.parse(process.argv[2] ?? '') as SmtpSettings;
const mail = { to: 'kund@example.se', subject: 'Återställ', text: 'Hej!\n', messageId: 'one@itembridge' };
const ended = await createSmtpMailer(settings)
  .send(mail)
  .then(
    () => 'sent',
    (error: unknown) => (error instanceof MailNotSent ? error.problem : String(error)),
  );
console.log(ended);
