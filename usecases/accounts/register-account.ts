import { Refusal } from '../../core/errors.ts';
import { accountId } from '../../core/ids.ts';
import type { Registration } from '../../schemas/accounts/sign-in.ts';
import { hashPassword } from '../../security/password.ts';
import { insertAccount, type AccountRow } from '../../store/accounts.ts';
import type { AccountSideContext } from '../account-side-context.ts';
import { describeAccount, type Session } from './describe-session.ts';

type Context = Pick<AccountSideContext, 'store' | 'sessions' | 'now' | 'newId'>;

/** Makes the account and opens its first session. Throws {@link Refusal} CONFLICT when the email has an account already. */
export async function registerAccount(context: Context, registration: Registration): Promise<Session> {
  const now = context.now();
  const row: AccountRow = {
    _id: accountId(context.newId()),
    email: registration.email,
    name: registration.name,
    passwordHash: await hashPassword(registration.password),
    createdAt: now,
  };
  if (!(await insertAccount(context.store, row)))
    throw new Refusal('CONFLICT', 'This email address already has an account');
  return { accessToken: context.sessions.sign(row._id, now), account: describeAccount(row) };
}
