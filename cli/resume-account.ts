import { Command } from 'commander';
import { openAdministration } from './open-administration.ts';
import { addSystemOptions, findDatabase, type SystemOptions } from './running-system.ts';

/** `itembridge resume-account EMAIL`. Doing it again changes nothing. */
export const resumeAccountCommand = addSystemOptions(new Command('resume-account'))
  .description('let a suspended account go on: its keys count again, and its people may sign in')
  .argument('<email>', 'email address of the account')
  .action(resumeAccount);

async function resumeAccount(email: string, options: SystemOptions): Promise<void> {
  const administration = await openAdministration(findDatabase(options));
  try {
    const { accountId, hasChanged } = await administration.setSuspension({ email, isSuspended: false });
    console.log(
      hasChanged
        ? `${email} (${accountId}) is suspended no more`
        : `${email} (${accountId}) is not suspended; nothing was changed`,
    );
  } finally {
    await administration.close();
  }
}
