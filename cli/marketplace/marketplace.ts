import { Command } from 'commander';
import type { MarketplaceProbe } from '../../compose/marketplace-probe.ts';
import { exitCodes, UsageError } from '../exit-codes.ts';
import { table } from '../ops/open-operations.ts';
import { addHomeOption, readReadyFile } from '../running-system.ts';
import { refuseArgument, secretOption } from '../service-options.ts';

interface ProbeOptions {
  readonly home: string;
  readonly user?: string;
  readonly token?: string;
  readonly draft: boolean;
  readonly yes: boolean;
  readonly json: boolean;
}

const tokenVariable = 'MARKETPLACE_USER_TOKEN';

/**
 * `itembridge marketplace probe`. Exit code 0 when nothing differs, 1 when something does, 3 without any answer. Without `--yes` it says
 * how many calls it would take, and takes none.
 */
const probeCommand = addHomeOption(new Command('probe'))
  .description('compare the marketplace with what the service takes for granted of it; changes nothing there')
  .option('--user <id>', `a user of the marketplace, whose token is in ${tokenVariable}: shows its lists, too`)
  .addOption(secretOption('--token', tokenVariable))
  .option('--draft', 'also create a draft with a picture, which is never committed; needs --user', false)
  .option('--yes', 'make the calls, and do not only say how many they are', false)
  .option('--json', 'output for programs: JSON', false)
  .action(probe);

/** `itembridge marketplace …`: with the settings of the service (docs/deployment.md "The marketplace"). */
export const marketplaceCommand = new Command('marketplace')
  .description('try the marketplace that is configured')
  .addCommand(probeCommand);

async function probe({ home, user, token = '', draft, yes, json }: ProbeOptions, command: Command): Promise<void> {
  refuseArgument(command, 'token', tokenVariable);
  if (user !== undefined && (token === '' || !/^[1-9]\d{0,9}$/.test(user)))
    throw new UsageError(`--user is the number of a user, with its token in ${tokenVariable}.`);
  if (draft && user === undefined) throw new UsageError('--draft needs --user.');
  const { openMarketplaceProbe } = await import('../../compose/marketplace-probe.ts');
  const settings = await readSettings(home);
  const seller = user === undefined ? null : { userId: user, token };
  const opened = openMarketplaceProbe(settings, { seller, withDraft: draft });
  const calls = `${opened.calls} of the application's ${settings.callsPerDay} calls of the day at ${settings.url}`;
  if (!yes) throw new UsageError(`This takes up to ${calls}: say --yes.`);
  console.error(`taking up to ${calls}`);
  const findings = await opened.run();
  console.log(json ? JSON.stringify(findings) : describe(findings));
  process.exitCode = exitCodeOf(findings);
}

type Findings = Awaited<ReturnType<MarketplaceProbe['run']>>;

function exitCodeOf(findings: Findings): number {
  if (findings.every(({ verdict }) => verdict === 'could not see')) return exitCodes.unfinished;
  return findings.some(({ verdict }) => verdict === 'differs') ? exitCodes.someFailed : exitCodes.ok;
}

/** What differs is first. */
function describe(findings: Findings): string {
  const groups = (['differs', 'could not see', 'as assumed'] as const).map((verdict) => {
    const found = findings.filter((finding) => finding.verdict === verdict);
    const rows = found.map(({ assumption, seen }) => [assumption, seen]);
    return { title: `${verdict}: ${found.length}`, rows: table(['ASSUMPTION', 'SEEN'], rows) };
  });
  return groups.map(({ title, rows }) => (rows === '' ? title : `${title}\n${rows}`)).join('\n\n');
}

/** Without a marketplace in the environment the simulator of `npm start` is asked. */
async function readSettings(home: string) {
  const { loadMarketplaceConfig } = await import('../../compose/config.ts');
  const { ConfigError } = await import('../../compose/read-settings.ts');
  try {
    return loadMarketplaceConfig(readReadyFile(home)?.marketplace);
  } catch (error) {
    if (error instanceof ConfigError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}
