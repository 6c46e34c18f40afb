import { Command } from 'commander';
import { openAdministration } from './open-administration.ts';
import { addSystemOptions, findDatabase, type SystemOptions } from './running-system.ts';

interface GrantOptions extends SystemOptions {
  readonly commissionBps: string;
  readonly slug: string;
}

/** `itembridge grant-reseller EMAIL --commission-bps N --slug SLUG`. Doing it again with the same values changes nothing. */
export const grantResellerCommand = addSystemOptions(new Command('grant-reseller'))
  .description('make an account a reseller, or change its commission or page')
  .argument('<email>', 'email address of the account')
  .requiredOption('--commission-bps <n>', "commission on the members' sales, in hundredths of a per cent")
  .requiredOption('--slug <slug>', 'where its public page is: /p/<slug>')
  .action(grantReseller);

async function grantReseller(email: string, options: GrantOptions): Promise<void> {
  const administration = await openAdministration(findDatabase(options));
  try {
    const grant = { email, commissionBps: wholeNumber(options.commissionBps), slug: options.slug };
    const { accountId, slug } = await administration.grantResellerAgreement(grant);
    console.log(`${email} (${accountId}) is a reseller; its page is /p/${slug}`);
  } finally {
    await administration.close();
  }
}

/** Other text becomes NaN, which the use case refuses with the name of the field. */
const wholeNumber = (value: string): number => (/^\d+$/.test(value) ? Number(value) : Number.NaN);
