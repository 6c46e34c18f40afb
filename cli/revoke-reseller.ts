import { Command } from 'commander';
import { openAdministration } from './open-administration.ts';
import { addSystemOptions, findDatabase, type SystemOptions } from './running-system.ts';

interface RevokeOptions extends SystemOptions {
  readonly email: string;
}

/** `itembridge revoke-reseller --email EMAIL`. Doing it again changes nothing. */
export const revokeResellerCommand = addSystemOptions(new Command('revoke-reseller'))
  .description("end a reseller's agreement, and with it the membership of all its members")
  .requiredOption('--email <email>', 'email address of the reseller')
  .action(revokeReseller);

async function revokeReseller(options: RevokeOptions): Promise<void> {
  const administration = await openAdministration(findDatabase(options));
  try {
    const { email } = options;
    const { accountId, hadAgreement, members } = await administration.revokeResellerAgreement(email);
    console.log(
      hadAgreement
        ? `${email} (${accountId}) is a reseller no more; ${members} accounts have left with it`
        : `${email} (${accountId}) has no reseller agreement; nothing was changed`,
    );
  } finally {
    await administration.close();
  }
}
