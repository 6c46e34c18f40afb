import { Command } from 'commander';
import { openAdministration } from './open-administration.ts';
import { addSystemOptions, findDatabase, type SystemOptions } from './running-system.ts';

interface SuspendOptions extends SystemOptions {
  readonly reason?: string;
}

/** `itembridge suspend-account EMAIL [--reason TEXT]`. Doing it again changes nothing. */
export const suspendAccountCommand = addSystemOptions(new Command('suspend-account'))
  .description('refuse the keys of an account and end its sessions, at once')
  .argument('<email>', 'email address of the account')
  .option('--reason <text>', 'why; the account reads it in its log once it may sign in again')
  .action(suspendAccount);

async function suspendAccount(email: string, options: SuspendOptions): Promise<void> {
  const administration = await openAdministration(findDatabase(options));
  try {
    const change = { email, isSuspended: true, reason: options.reason };
    const { accountId, hasChanged } = await administration.setSuspension(change);
    console.log(`${email} (${accountId}) is suspended${hasChanged ? '' : ' already'}`);
  } finally {
    await administration.close();
  }
}
