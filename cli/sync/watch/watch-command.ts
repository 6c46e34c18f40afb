import type { RetrySettings } from '../../../client/retries.ts';
import type { Command } from 'commander';
import { Interrupted, untilInterrupted, UsageError } from '../../exit-codes.ts';
import { openService, type ServiceOptions } from '../../service-options.ts';
import { readReadingOptions, type ReadingOptions } from '../reading-options.ts';
import { watchFolder, WatchLog } from './watch-folder.ts';
import { WatchedFolder } from './watched-folder.ts';

export interface WatchCommandOptions extends ServiceOptions, ReadingOptions {
  readonly snapshot: boolean;
  readonly confirm: boolean;
  readonly replace: boolean;
  /** Seconds. */
  readonly settle: number;
}

/** More patience than for a single call, so that a short outage leaves no line in the log. */
const patience: Partial<RetrySettings> = { attemptsMax: 8 };

/** `itembridge sync --watch FOLDER`. Ctrl-C is the normal end. Throws {@link UsageError}. */
export async function watch(path: string, options: WatchCommandOptions, command: Command): Promise<void> {
  const { client, ...service } = openService(options, command, patience);
  const { snapshot, confirm, replace, settle, json, mapFile, apiKeyFile } = options;
  const own = [mapFile, apiKeyFile].filter((file) => file !== undefined);
  const folder = new WatchedFolder(path, own);
  const reading = readReadingOptions(options);
  console.error(`Watching ${path}: a file that stays as it is for ${settle} s is synced. Ctrl-C ends it.`);
  const mode = snapshot ? 'snapshot' : 'merge';
  const common = { client, service, folder, reading, mode, confirm, replace, settleMs: settle * 1_000 } as const;
  try {
    await untilInterrupted((signal) => watchFolder({ ...common, log: new WatchLog(json), signal }));
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    console.error('Stopped. What is in progress goes on when the folder is watched again.');
  }
}

/** Refuses options that only make sense for a single file. */
export function requireForFolder(file: string | undefined, options: Readonly<Record<string, unknown>>): void {
  if (file !== undefined) throw new UsageError('Either FILE or --watch FOLDER.');
  const odd = ['dryRun', 'detach', 'cancel', 'errors'].find((name) => Boolean(options[name]));
  if (odd !== undefined)
    throw new UsageError(`--${odd === 'dryRun' ? 'dry-run' : odd} is for one file, not for --watch.`);
}
