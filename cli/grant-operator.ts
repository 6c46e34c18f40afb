import { Command } from 'commander';
import { openAdministration } from './open-administration.ts';
import { addSystemOptions, findDatabase, type SystemOptions } from './running-system.ts';

/** `itembridge grant-operator EMAIL…`. Doing it again changes nothing. */
export const grantOperatorCommand = addSystemOptions(new Command('grant-operator'))
  .description("make accounts operators, whose dashboard links to the items' workflows")
  .argument('<email...>', 'email addresses of the accounts')
  .action(grantOperator);

async function grantOperator(emails: readonly string[], options: SystemOptions): Promise<void> {
  const administration = await openAdministration(findDatabase(options));
  try {
    for (const email of emails) {
      const { accountId, hasChanged } = await administration.setOperator({ email, isOperator: true });
      console.log(`${email} (${accountId}) is an operator${hasChanged ? '' : ' already'}`);
    }
  } finally {
    await administration.close();
  }
}
