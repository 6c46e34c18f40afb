import type { Binder } from '../bind.ts';
import { endOwnSession } from './end-own-session.ts';
import { logIn } from './log-in.ts';
import { logOut } from './log-out.ts';
import { isPageFormOf, signPageForm } from './page-forms.ts';
import { readOwnAccount } from './read-own-account.ts';
import { refreshSession } from './refresh-session.ts';
import { registerAccount } from './register-account.ts';

export const bindAccounts = ({ bind }: Binder) => ({
  register: bind(registerAccount),
  logIn: bind(logIn),
  refresh: bind(refreshSession),
  logOut: bind(logOut),
  readOwn: bind(readOwnAccount),
  endOwnSession: bind(endOwnSession),
  signPageForm: bind(signPageForm),
  isPageFormOf: bind(isPageFormOf),
});
