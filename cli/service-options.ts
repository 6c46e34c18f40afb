import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { Option, type Command } from 'commander';
import { createItembridgeClient, type ItembridgeClient } from '../client/create-itembridge-client.ts';
import { openSession, type OpenSession } from '../client/open-session.ts';
import type { RetrySettings } from '../client/retries.ts';
import { clientVersion } from '../client/user-agent.ts';
import { UsageError } from './exit-codes.ts';
import { readReadyFile, type ReadySystem } from './running-system.ts';

export interface ServiceOptions {
  readonly url?: string;
  readonly apiKey?: string;
  readonly apiKeyFile?: string;
  readonly account?: string;
  readonly home: string;
  readonly json: boolean;
}

export interface SessionOptions extends ServiceOptions {
  readonly email?: string;
  readonly password?: string;
}

/** The address of the service and the caller's credential. */
export interface Service {
  readonly url: string;
  readonly apiKey: string;
  readonly account: string | undefined;
}

/** How the command names itself to the service. */
const application = `itembridge-cli/${clientVersion}`;
const inProcessList = 'is not taken as an argument, which everybody on this machine can read';

/**
 * The value is read from the environment alone. As an argument it is refused, because other users can see arguments.
 */
export const secretOption = (flag: string, variable: string): Option =>
  new Option(`${flag} <secret>`).env(variable).hideHelp();

/** The address of the service, and the output format. */
export function addAddressOptions(command: Command): Command {
  return command
    .addOption(new Option('--url <url>', 'where the API answers').env('ITEMBRIDGE_URL'))
    .addOption(
      new Option('--home <folder>', 'folder of the ready file of "npm start"')
        .env('ITEMBRIDGE_HOME')
        .default('.itembridge'),
    )
    .option('--json', 'output for programs: JSON', false);
}

/** Adds the options for the API key and, for a reseller, the member. */
export function addKeyOptions(command: Command): Command {
  return command
    .addOption(secretOption('--api-key', 'ITEMBRIDGE_API_KEY'))
    .addOption(
      new Option('--api-key-file <file>', 'file that holds the API key (or set ITEMBRIDGE_API_KEY)').env(
        'ITEMBRIDGE_API_KEY_FILE',
      ),
    )
    .option('--account <reference>', 'as a reseller: the member to act for, by your reference');
}

/** Adds the options for signing in with email and password. */
export function addSignInOptions(command: Command): Command {
  return command
    .addOption(new Option('--email <address>', 'who signs in; the password is asked for').env('ITEMBRIDGE_EMAIL'))
    .addOption(secretOption('--password', 'ITEMBRIDGE_PASSWORD'));
}

/** For commands with an API key. In the system of `npm start` no option is needed. */
export const addServiceOptions = (command: Command): Command => addKeyOptions(addAddressOptions(command));

/** For commands of the dashboard: they sign in for as long as they run, and store nothing. */
export const addSessionOptions = (command: Command): Command => addSignInOptions(addAddressOptions(command));

/** Throws {@link UsageError} when the address or the key is missing, or the key was given as an argument. */
export function findService(options: ServiceOptions, command: Command): Service {
  refuseArgument(command, 'apiKey', 'ITEMBRIDGE_API_KEY or --api-key-file');
  const ready = readReadyFile(options.home);
  const url = findUrl(options, ready);
  const apiKey =
    options.apiKey ?? fromFile(options.apiKeyFile) ?? (isOf(ready, url) ? ready?.account?.apiKey : undefined);
  if (apiKey === undefined || apiKey === '')
    throw new UsageError('No API key: set ITEMBRIDGE_API_KEY or --api-key-file.');
  return { url, apiKey, account: options.account };
}

export function openService(
  options: ServiceOptions,
  command: Command,
  retries?: Partial<RetrySettings>,
): Service & { readonly client: ItembridgeClient } {
  const service = findService(options, command);
  return { ...service, client: clientOf(service, retries) };
}

/** A client for the service with the caller's credential. */
export const clientOf = ({ url, apiKey, account }: Service, retries?: Partial<RetrySettings>): ItembridgeClient =>
  createItembridgeClient({ baseUrl: url, apiKey, partnerAccount: account, retries, application });

/** Signs in while `work` runs. The session ends afterwards in any case; a failure to end it is no failure of the work. */
export async function withSession<Outcome>(
  options: SessionOptions,
  command: Command,
  work: (client: ItembridgeClient) => Promise<Outcome>,
): Promise<Outcome> {
  const { baseUrl, session } = await signIn(options, command);
  try {
    return await work(createItembridgeClient({ baseUrl, session: session.token, application }));
  } finally {
    await session.close().catch(warnOfOpenSession);
  }
}

function warnOfOpenSession(error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  console.error(
    `The session could not be ended (${reason}): it ends by itself, or sign out everywhere in the dashboard.`,
  );
}

async function signIn(
  options: SessionOptions,
  command: Command,
): Promise<{ readonly baseUrl: string; readonly session: OpenSession }> {
  refuseArgument(command, 'password', 'ITEMBRIDGE_PASSWORD, or type it in');
  const ready = readReadyFile(options.home);
  const baseUrl = findUrl(options, ready);
  const example = isOf(ready, baseUrl) ? ready?.account : undefined;
  const email = options.email ?? example?.email;
  if (email === undefined) throw new UsageError('Nobody to sign in: name one with --email.');
  const known = email === example?.email ? example.password : undefined;
  const password = options.password ?? known ?? (await askForPassword(`Password of ${email}: `));
  return { baseUrl, session: await openSession({ baseUrl, email, password, application }) };
}

function findUrl({ url }: ServiceOptions, ready: ReadySystem | undefined): string {
  const found = url ?? ready?.apiUrl;
  if (found === undefined)
    throw new UsageError('No service: set --url or ITEMBRIDGE_URL, or start one with "npm start".');
  if (!/^https?:\/\/[^/]/.test(found) || !URL.canParse(found)) throw new UsageError(`${found} is no http(s) address.`);
  return found.replace(/\/+$/, '');
}

/** The example credentials are sent to the example system only. */
const isOf = (ready: ReadySystem | undefined, url: string): boolean => ready?.apiUrl?.replace(/\/+$/, '') === url;

/** Throws {@link UsageError} when a secret was given as an argument. */
export function refuseArgument(command: Command, name: string, instead: string): void {
  if (command.getOptionValueSource(name) === 'cli')
    throw new UsageError(`--${name === 'apiKey' ? 'api-key' : name} ${inProcessList}: use ${instead}.`);
}

/** The text of a file that holds one secret. Throws {@link UsageError}. */
export function fromFile(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new UsageError(`${file} can't be read.`, { cause: error });
  }
}

/** Asks for a password at the terminal without echo. Throws {@link UsageError} without a terminal. */
async function askForPassword(question: string): Promise<string> {
  if (!process.stdin.isTTY) throw new UsageError('No password: set ITEMBRIDGE_PASSWORD.');
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    return await terminal.question('');
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}
