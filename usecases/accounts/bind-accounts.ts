import type { Binder } from '../bind.ts';
import { changePassword } from './change-password.ts';
import { endOwnSession } from './end-own-session.ts';
import { endAllOtherSessions, endOneSession } from './end-sessions.ts';
import { listSessions } from './list-sessions.ts';
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
  changePassword: bind(changePassword),
  listSessions: bind(listSessions),
  endOneSession: bind(endOneSession),
  endAllOtherSessions: bind(endAllOtherSessions),
  signPageForm: bind(signPageForm),
  isPageFormOf: bind(isPageFormOf),
});
