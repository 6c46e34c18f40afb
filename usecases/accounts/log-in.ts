import { Refusal } from '../../core/errors.ts';
import type { Login } from '../../schemas/accounts/sign-in.ts';
import { verifyPassword } from '../../security/password.ts';
import { findAccountByEmail } from '../../store/accounts.ts';
import type { AccountSideContext } from '../account-side-context.ts';
import { describeAccount, type Session } from './describe-session.ts';

type Context = Pick<AccountSideContext, 'store' | 'sessions' | 'now'>;

/** Throws {@link Refusal} UNAUTHORIZED, in the same time and words whether the email or the password is wrong. */
export async function logIn(context: Context, login: Login): Promise<Session> {
  const row = await findAccountByEmail(context.store, login.email);
  const isRight = await verifyPassword(row?.passwordHash, login.password);
  if (row === null || !isRight) throw new Refusal('UNAUTHORIZED', 'Wrong email address or password');
  return { accessToken: context.sessions.sign(row._id, context.now()), account: describeAccount(row) };
}
