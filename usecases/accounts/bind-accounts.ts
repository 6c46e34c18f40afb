import type { Binder } from '../bind.ts';
import { logIn } from './log-in.ts';
import { readOwnAccount } from './read-own-account.ts';
import { registerAccount } from './register-account.ts';

export const bindAccounts = ({ bind }: Binder) => ({
  register: bind(registerAccount),
  logIn: bind(logIn),
  readOwn: bind(readOwnAccount),
});
