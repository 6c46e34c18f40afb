import { everythingStuckUrl } from '../compose/stuck-lists.ts';
import type { DemoAccount } from './demo-accounts.ts';
import { namedMarketplace } from './marketplace.ts';
import type { RunningSystem } from './system.ts';

/** What a newcomer needs after a start: addresses, a key, and one call to try. */
export function welcomeText(system: RunningSystem, accounts: readonly DemoAccount[]): string {
  const { apiUrl, temporal, simulators } = system;
  const member = accounts.find((account) => account.role === 'member') ?? accounts[0];
  const [reseller] = accounts;
  const item = {
    title: 'Kaffekanna i emalj',
    price: 149,
    imageUrls: [`${simulators.images.url}/kaffekanna-1.webp`],
    autoPublishTradera: true,
  };
  return [
    '',
    'itembridge is running.',
    '',
    `  API            ${apiUrl}`,
    `  Dashboard      ${apiUrl}/dashboard   (${reseller?.email ?? ''}, password ${reseller?.password ?? ''})`,
    `  API docs       ${apiUrl}/docs`,
    ...temporalLines(temporal),
    ...marketplaceLines(system),
    `  Mailbox        ${simulators.mail.url}   (what would be sent by e-mail)`,
    `  Demo API key   ${member?.apiKey ?? ''}`,
    '',
    'Try it:',
    `  curl -X PUT ${apiUrl}/integration/v1/items/DEMO-1 \\`,
    `    -H 'x-api-key: ${member?.apiKey ?? ''}' -H 'content-type: application/json' \\`,
    `    -d '${JSON.stringify(item)}'`,
    '',
    'Ctrl-C stops everything; the data stays for the next start (npm start -- --fresh begins anew).',
  ].join('\n');
}

/** At a marketplace that is not ours the accounts are connected by user id and token. */
function marketplaceLines({ simulators, environment, apiUrl }: RunningSystem): string[] {
  const url = namedMarketplace(environment);
  if (url === simulators.marketplace.url) return [`  Marketplace    ${url}   (simulated)`];
  return [`  Marketplace    ${url}`, `                 (no account is connected: ${apiUrl}/dashboard/connection)`];
}

function temporalLines({ address, namespace, uiUrl }: RunningSystem['temporal']): string[] {
  if (uiUrl === undefined) return [`  Temporal       ${address}`];
  return [`  Temporal UI    ${uiUrl}`, `  What is stuck  ${everythingStuckUrl({ uiUrl, namespace })}`];
}

/**
 * Shows a person the progress of the start: one line per step. At a terminal the progress line is rewritten in place.
 */
export interface Reporter {
  say(line: string): void;
  /** Replaces the progress line before it; the same text again is not repeated. */
  progress(line: string): void;
  /** A warning; shown even with `--quiet`. */
  warn(line: string): void;
}

/** Writes to a terminal or a file. @param options.quiet shows warnings alone */
export function consoleReporter(options: { quiet: boolean; output: NodeJS.WriteStream }): Reporter {
  const { quiet, output } = options;
  let progressShown = '';
  const endProgress = (): void => {
    if (progressShown !== '' && output.isTTY) output.write('\n');
    progressShown = '';
  };
  const line = (text: string): void => {
    endProgress();
    output.write(`${text}\n`);
  };
  return {
    say: (text) => {
      if (!quiet) line(text);
    },
    progress: (text) => {
      if (quiet || text === progressShown) return;
      output.write(output.isTTY ? `\r\x1b[2K${text}` : `${text}\n`);
      progressShown = text;
    },
    warn: line,
  };
}
