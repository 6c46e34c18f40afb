import { Command } from 'commander';
import { openAdministration } from './open-administration.ts';
import { addSystemOptions, findDatabase, type SystemOptions } from './running-system.ts';

/** `itembridge revoke-operator EMAIL…`. Doing it again changes nothing. */
export const revokeOperatorCommand = addSystemOptions(new Command('revoke-operator'))
  .description("take the links to the items' workflows from accounts again")
  .argument('<email...>', 'email addresses of the accounts')
  .action(revokeOperator);

async function revokeOperator(emails: readonly string[], options: SystemOptions): Promise<void> {
  const administration = await openAdministration(findDatabase(options));
  try {
    for (const email of emails) {
      const { accountId, hasChanged } = await administration.setOperator({ email, isOperator: false });
      console.log(`${email} (${accountId}) is no operator${hasChanged ? ' any more' : '; nothing was changed'}`);
    }
  } finally {
    await administration.close();
  }
}
