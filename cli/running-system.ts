import { readFileSync } from 'node:fs';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { UsageError } from './exit-codes.ts';
import { readReadyFile } from './ready-file.ts';

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
