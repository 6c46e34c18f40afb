import { Command } from 'commander';
import type { openAdministration } from '../features/operations/open-administration.ts';
import { addOperatorOption } from './operator.ts';
import { addSystemOptions, findDatabase, type SystemOptions } from './running-system.ts';

type Administration = Awaited<ReturnType<typeof openAdministration>>;

/** Loads the database driver and its dependencies only for commands that need it; the others start in half the time. */
export async function withAdministration(
  options: SystemOptions,
  work: (administration: Administration) => Promise<void>,
): Promise<void> {
  const { openAdministration: open } = await import('../features/operations/open-administration.ts');
  const { schemaVersion } = await import('../compose/schema-steps.ts');
  const administration = await open({ ...findDatabase(options), schemaVersion }, options.as);
  try {
    await work(administration);
  } finally {
    await administration.close();
  }
}

/** `itembridge grant-operator EMAIL…`. Doing it again changes nothing. */
export const grantOperatorCommand = addOperatorOption(addSystemOptions(new Command('grant-operator')))
  .description("make accounts operators, whose dashboard links to the items' workflows")
  .argument('<email...>', 'email addresses of the accounts')
  .action(grantOperator);

async function grantOperator(emails: readonly string[], options: SystemOptions): Promise<void> {
  await withAdministration(options, async (administration) => {
    for (const email of emails) {
      const { accountId, hasChanged } = await administration.setOperator({ email, isOperator: true });
      console.log(`${email} (${accountId}) is an operator${hasChanged ? '' : ' already'}`);
    }
  });
}

/** `itembridge revoke-operator EMAIL…`. Doing it again changes nothing. */
export const revokeOperatorCommand = addOperatorOption(addSystemOptions(new Command('revoke-operator')))
  .description("take the links to the items' workflows from accounts again")
  .argument('<email...>', 'email addresses of the accounts')
  .action(revokeOperator);

async function revokeOperator(emails: readonly string[], options: SystemOptions): Promise<void> {
  await withAdministration(options, async (administration) => {
    for (const email of emails) {
      const { accountId, hasChanged } = await administration.setOperator({ email, isOperator: false });
      console.log(`${email} (${accountId}) is no operator${hasChanged ? ' any more' : '; nothing was changed'}`);
    }
  });
}

interface GrantOptions extends SystemOptions {
  readonly commissionBps: string;
  readonly slug: string;
  readonly directSalesMax?: string;
}

/** `itembridge grant-reseller EMAIL --commission-bps N --slug SLUG`. Doing it again with the same values changes nothing. */
export const grantResellerCommand = addOperatorOption(addSystemOptions(new Command('grant-reseller')))
  .description('make an account a reseller, or change its commission or page')
  .argument('<email>', 'email address of the account')
  .requiredOption('--commission-bps <n>', "commission on the members' sales, in hundredths of a per cent")
  .requiredOption('--slug <slug>', 'where its public page is: /p/<slug>')
  .option('--direct-sales-max <sek>', 'direct sales of one member that count in a month by themselves (100000)')
  .action(grantReseller);

async function grantReseller(email: string, options: GrantOptions): Promise<void> {
  await withAdministration(options, async (administration) => {
    const { commissionBps, slug: wanted, directSalesMax } = options;
    const grant = {
      email,
      commissionBps: wholeNumber(commissionBps),
      slug: wanted,
      ...(directSalesMax !== undefined && { directSalesMax: wholeNumber(directSalesMax) }),
    };
    const { accountId, slug } = await administration.grantResellerAgreement(grant);
    console.log(`${email} (${accountId}) is a reseller; its page is /p/${slug}`);
  });
}

/** Other text becomes NaN, which the use case refuses with the name of the field. */
const wholeNumber = (value: string): number => (/^\d+$/.test(value) ? Number(value) : Number.NaN);

interface RevokeOptions extends SystemOptions {
  readonly email: string;
}

/** `itembridge revoke-reseller --email EMAIL`. Doing it again changes nothing. */
export const revokeResellerCommand = addOperatorOption(addSystemOptions(new Command('revoke-reseller')))
  .description("end a reseller's agreement, and with it the membership of all its members")
  .requiredOption('--email <email>', 'email address of the reseller')
  .action(revokeReseller);

async function revokeReseller(options: RevokeOptions): Promise<void> {
  await withAdministration(options, async (administration) => {
    const { email } = options;
    const { accountId, hadAgreement, members } = await administration.revokeResellerAgreement(email);
    console.log(
      hadAgreement
        ? `${email} (${accountId}) is a reseller no more; ${members} accounts have left with it`
        : `${email} (${accountId}) has no reseller agreement; nothing was changed`,
    );
  });
}

interface SuspendOptions extends SystemOptions {
  readonly reason?: string;
}

/** `itembridge suspend-account EMAIL [--reason TEXT]`. Doing it again changes nothing. */
export const suspendAccountCommand = addOperatorOption(addSystemOptions(new Command('suspend-account')))
  .description('refuse the keys of an account and end its sessions, at once')
  .argument('<email>', 'email address of the account')
  .option('--reason <text>', 'why; the account reads it in its log once it may sign in again')
  .action(suspendAccount);

async function suspendAccount(email: string, options: SuspendOptions): Promise<void> {
  await withAdministration(options, async (administration) => {
    const change = { email, isSuspended: true, reason: options.reason };
    const { accountId, hasChanged } = await administration.setSuspension(change);
    console.log(`${email} (${accountId}) is suspended${hasChanged ? '' : ' already'}`);
  });
}

/** `itembridge resume-account EMAIL`. Doing it again changes nothing. */
export const resumeAccountCommand = addOperatorOption(addSystemOptions(new Command('resume-account')))
  .description('let a suspended account go on: its keys count again, and its people may sign in')
  .argument('<email>', 'email address of the account')
  .action(resumeAccount);

async function resumeAccount(email: string, options: SystemOptions): Promise<void> {
  await withAdministration(options, async (administration) => {
    const { accountId, hasChanged } = await administration.setSuspension({ email, isSuspended: false });
    console.log(
      hasChanged
        ? `${email} (${accountId}) is suspended no more`
        : `${email} (${accountId}) is not suspended; nothing was changed`,
    );
  });
}
