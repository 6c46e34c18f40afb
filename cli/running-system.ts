import { existsSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { UsageError } from './exit-codes.ts';

export interface SystemOptions {
  readonly mongodbUri?: string;
  readonly mongodbUriFile?: string;
  readonly mongodbDatabase: string;
  readonly home: string;
}

/** The system of a command: from options, the environment, or the ready file of `npm start`. */
export function addSystemOptions(command: Command): Command {
  return addHomeOption(command)
    .addOption(new Option('--mongodb-uri <uri>', 'database of the system').env('MONGODB_URI'))
    .addOption(new Option('--mongodb-uri-file <file>', 'file that holds it').env('MONGODB_URI_FILE'))
    .addOption(
      new Option('--mongodb-database <name>', 'name of the database').env('MONGODB_DATABASE').default('itembridge'),
    )
    .hook('preAction', (_command, acting) => refusePasswordInArgument(acting));
}

/** The folder in which `npm start` says where its parts are. */
export const addHomeOption = (command: Command): Command =>
  command.addOption(
    new Option('--home <folder>', 'folder of the ready file').env('ITEMBRIDGE_HOME').default('.itembridge'),
  );

/** Arguments are visible to all users of this machine. Throws {@link UsageError}. */
function refusePasswordInArgument(acting: Command): void {
  const uri: unknown = acting.getOptionValue('mongodbUri');
  if (acting.getOptionValueSource('mongodbUri') !== 'cli' || typeof uri !== 'string') return;
  if (/^[a-z+]+:\/\/[^/@]*:[^/]*@/i.test(uri))
    throw new UsageError(
      '--mongodb-uri is not taken with a password, which everybody on this machine can read: use MONGODB_URI or --mongodb-uri-file.',
    );
}

/** Throws when no option, variable or ready file names the database. */
export function findDatabase(options: SystemOptions): { uri: string; database: string } {
  const uri =
    given(options.mongodbUri) ?? fromFile(given(options.mongodbUriFile)) ?? readReadyFile(options.home)?.mongodbUri;
  if (uri !== undefined) return { uri, database: options.mongodbDatabase };
  throw new InvalidArgumentError('No running system found: start one with "npm start", or set MONGODB_URI.');
}

const given = (value: string | undefined): string | undefined => (value === '' ? undefined : value);

const fromFile = (file: string | undefined): string | undefined =>
  file === undefined ? undefined : readFileSync(file, 'utf8').trim();

/** The data of the system run by `npm start`. */
export interface ReadySystem {
  readonly apiUrl?: string | undefined;
  readonly mongodbUri?: string | undefined;
  readonly temporalAddress?: string | undefined;
  readonly temporalNamespace?: string | undefined;
  readonly temporalUiUrl?: string | undefined;
  /** Settings by which the simulated vehicle registry is asked. */
  readonly vehicleRegistry?: Readonly<Record<string, string>> | undefined;
  /** Settings by which the simulated marketplace is called. */
  readonly marketplace?: Readonly<Record<string, string>> | undefined;
  /** The first of the example accounts: the reseller. */
  readonly account?: { readonly email: string; readonly password: string; readonly apiKey: string } | undefined;
  /** Folder with the certificate for https://127.0.0.1 that the system trusts. */
  readonly tlsFolder?: string | undefined;
}

/** undefined when no system runs with this folder (`--home`, by default `.itembridge`). */
export function readReadyFile(home: string): ReadySystem | undefined {
  const file = join(home, 'ready.json');
  if (!existsSync(file)) return undefined;
  const ready: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const accounts = field(ready, 'accounts');
  const caFile = textField(ready, 'caFile');
  return {
    apiUrl: textField(ready, 'apiUrl'),
    mongodbUri: textField(ready, 'mongodbUri'),
    temporalAddress: textField(ready, 'temporalAddress'),
    temporalNamespace: textField(ready, 'temporalNamespace'),
    temporalUiUrl: textField(ready, 'temporalUiUrl'),
    vehicleRegistry: registryOf(field(field(ready, 'simulators'), 'vehicleRegistry')),
    marketplace: marketplaceOf(field(field(ready, 'simulators'), 'marketplace')),
    account: accountOf(Array.isArray(accounts) ? accounts[0] : undefined),
    tlsFolder: caFile === undefined ? undefined : isAbsolute(caFile) ? dirname(caFile) : home,
  };
}

function accountOf(value: unknown): ReadySystem['account'] {
  const [email, password, apiKey] = [
    textField(value, 'email'),
    textField(value, 'password'),
    textField(value, 'apiKey'),
  ];
  if (email === undefined || password === undefined || apiKey === undefined) return undefined;
  return { email, password, apiKey };
}

function registryOf(value: unknown): ReadySystem['vehicleRegistry'] {
  const [kind, url, apiKey] = [textField(value, 'kind'), textField(value, 'url'), textField(value, 'apiKey')];
  if (kind === undefined || url === undefined || apiKey === undefined) return undefined;
  return { VEHICLE_REGISTRY: kind, VEHICLE_REGISTRY_URL: url, VEHICLE_REGISTRY_API_KEY: apiKey };
}

function marketplaceOf(value: unknown): ReadySystem['marketplace'] {
  const [url, appId, appKey] = [textField(value, 'url'), textField(value, 'appId'), textField(value, 'appKey')];
  if (url === undefined || appId === undefined || appKey === undefined) return undefined;
  return { MARKETPLACE_URL: url, MARKETPLACE_APP_ID: appId, MARKETPLACE_APP_KEY: appKey };
}

const textField = (value: unknown, name: string): string | undefined => {
  const found = field(value, name);
  return typeof found === 'string' ? found : undefined;
};

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined;
