import { Refusal } from '../../core/errors.ts';
import { accountId } from '../../core/ids.ts';
import type { Registration } from '../../schemas/accounts/sign-in.ts';
import type { AccountRow } from '../../store/accounts/accounts.ts';
import { insertAccountAndSession } from '../../store/accounts/sessions.ts';
import { dueLine } from '../../store/dispatch/due-rows.ts';
import type { Context } from '../context.ts';
import { confirmationMail } from '../mail/account-mail.ts';
import { ownerBy, type Caller } from './authenticate.ts';
import { deviceCookie, type SignedIn, type SignInContext } from './log-in.ts';
import { describeSession, emailFingerprint, pageToken, prepareSession } from './own-sessions.ts';
import { spendAttempt } from './sign-in-limits.ts';

/**
 * Creates the account, opens its first session, and has its address confirmed where mails are sent. Throws {@link Refusal} CONFLICT when the email already has an account,
 * RATE_LIMITED, and UNAVAILABLE when too many callers sign in at once.
 */
export async function registerAccount(
  context: SignInContext & Pick<Context, 'sendsMail' | 'ring'>,
  caller: Caller,
  registration: Registration,
): Promise<SignedIn> {
  const { signInLimits, passwords } = context;
  await spendAttempt(signInLimits.registerByAddress(caller.address));
  await spendAttempt(signInLimits.registerByEmail(emailFingerprint(registration.email)));
  const account: AccountRow = {
    _id: accountId(context.newId()),
    email: registration.email,
    name: registration.name,
    passwordHash: await passwords.hash(registration.password),
    createdAt: context.now(),
    ...(registration.language && { language: registration.language }),
  };
  const { row, refresh } = prepareSession(context, account._id, caller);
  const about = { accountId: account._id, actor: ownerBy(account._id, caller), at: account.createdAt };
  const details = { sessionId: row._id, address: caller.address };
  const isMade = await insertAccountAndSession(context.store, {
    account,
    session: row,
    mail: context.sendsMail ? confirmationMail(context, account, account.email) : null,
    audits: [
      { ...about, kind: 'account_registered', details: { name: account.name } },
      { ...about, kind: 'signed_in', details },
    ],
  });
  if (!isMade) throw new Refusal('CONFLICT', 'This email address already has an account');
  context.ring(dueLine('mails', 'worker', account._id));
  const session = describeSession(context, account, row);
  return { session, refresh, page: pageToken(context, row), device: deviceCookie(context, account.email) };
}
