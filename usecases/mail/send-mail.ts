import { MailNotSent, type Mailer } from '../../gateways/mail/port.ts';
import type { Logger } from '../../platform/logger.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { endMail, postponeMail, type MailOutcome, type MailRow } from '../../store/mail/mails.ts';
import { storeNextSummary } from './weekly-summary.ts';
import { writeMail } from './write-mail.ts';

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
