import { Refusal } from '../rules/errors.ts';
import { accountId, type AccountId } from '../rules/ids.ts';
import type { Mail, MailLanguage } from './rules/mail.ts';
import { nextSummaryAt } from './rules/weekly-summary.ts';
import { emailFingerprint } from '../../platform/security/fingerprint.ts';
import type { AccountRow } from '../accounts/store/accounts.ts';
import type { NewMail } from './store/mails.ts';
import type { Context } from '../context.ts';

/** Throws {@link Refusal} UNAVAILABLE without a configured mail server. */
export function requireMail({ sendsMail }: Pick<Context, 'sendsMail'>): void {
  if (sendsMail) return;
  throw new Refusal('UNAVAILABLE', 'This needs an email, and the service sends none: no mail server is configured', {
    retryAfterSeconds: 3_600,
  });
}

/** Mails to an address take turns under its fingerprint, because it may have no account. */
export const queueOfAddress = (email: string): AccountId => accountId(emailFingerprint(email));

/** A mail to be stored, with an id of its own. */
export const newMail = (
  { newId, now }: Pick<Context, 'newId' | 'now'>,
  { queue, mail, language = null }: { queue: AccountId; mail: Mail; language?: MailLanguage | null | undefined },
): NewMail => ({ id: newId(), queue, mail, language, at: now() });

/** A mail that asks the reader of `email` to confirm that the address is the account's. */
export const confirmationMail = (
  context: Pick<Context, 'newId' | 'now'>,
  { _id, passwordNumber = 0 }: Pick<AccountRow, '_id' | 'passwordNumber'>,
  email: string,
): NewMail =>
  newMail(context, { queue: _id, mail: { kind: 'confirm_address', accountId: _id, email, passwordNumber } });

/** The account's next summary after `now`. Its id stays the same until it is sent, so it is stored once. */
export function nextSummary(accountId: AccountId, now: Date): NewMail {
  const at = nextSummaryAt(now);
  const mail: Mail = { kind: 'weekly_summary', accountId, until: at.toISOString() };
  return { id: `weekly_summary:${accountId}:${mail.until}`, queue: accountId, mail, language: null, at };
}
