import { homedir } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { isOver } from '../../client/bulk-syncs.ts';
import type { ItembridgeClient } from '../../client/create-itembridge-client.ts';
import type { RetrySettings } from '../../client/retries.ts';
import { untilInterrupted, UsageError } from '../exit-codes.ts';
import { addServiceOptions, openService, type Service, type ServiceOptions } from '../service-options.ts';
import { describeBulk, findBulk } from './sync-report.ts';
import { createProgress } from '../progress.ts';
import { identityOf, runSync } from './run-sync.ts';
import { addReadingOptions, readReadingOptions, type ReadingOptions } from './reading-options.ts';
import { openSyncInput } from './sync-input.ts';
import { requireForFolder, watch } from './watch/watch-command.ts';
import { SyncStates, type SyncOwner, type SyncState } from './sync-state.ts';

interface StateOptions extends ServiceOptions {
  readonly stateHome?: string;
}

interface SyncOptions extends StateOptions, ReadingOptions {
  readonly snapshot: boolean;
  readonly confirm: boolean;
  readonly replace: boolean;
  readonly dryRun: boolean;
  readonly detach: boolean;
  readonly cancel: boolean;
  readonly quiet: boolean;
  readonly errors?: string;
  readonly watch?: string;
  readonly settle: number;
}

/** `itembridge sync FILE`, `sync status [ID]`, `sync cancel [ID]`. */
export const syncCommand = addReadingOptions(addStateOptions(addServiceOptions(new Command('sync'))))
  .description('send a file of items, and watch until all of it is applied')
  .enablePositionalOptions()
  .argument('[file]', 'CSV with a header, one JSON object a line, or a JSON array; - for standard input')
  .option('--snapshot', 'the file is all there is: take down what it leaves out', false)
  .option('--confirm', 'even if a snapshot takes down more than half', false)
  .option('--replace', 'empty the fields of items that a CSV has no column or no text for; else they are kept', false)
  .option('--dry-run', 'check everything, change nothing', false)
  .option('--errors <file>', 'write the lines that failed or have warnings here, to be corrected and sent again')
  .option('--detach', 'do not wait until it is applied', false)
  .option('--cancel', 'cancel what this command began', false)
  .option('--quiet', 'no progress', false)
  .option('--watch <folder>', 'sync every file that is put into this folder, once')
  .option('--settle <seconds>', 'how long a file there has to stay as it is to be complete', seconds, 10)
  .addCommand(
    addStateOptions(addServiceOptions(new Command('status')))
      .description('show a bulk sync, or those begun on this machine whose end was not shown yet')
      .argument('[id]')
      .action(showStatus),
  )
  .addCommand(
    addStateOptions(addServiceOptions(new Command('cancel')))
      .description('cancel a bulk sync, by default the newest begun on this machine; what was applied stays')
      .argument('[id]')
      .action(cancel),
  )
  .action(sync);

function addStateOptions(command: Command): Command {
  return command.addOption(new Option('--state-home <folder>').env('XDG_STATE_HOME').hideHelp());
}

function seconds(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 86_400)) throw new InvalidArgumentError('It must be a number of seconds above 0.');
  return value;
}

/** More patience than for a single call, because a sync should outlast a restart of the service. */
const patience: Partial<RetrySettings> = { attemptsMax: 8 };

async function sync(file: string | undefined, options: SyncOptions, command: Command): Promise<void> {
  if (options.watch !== undefined) {
    requireForFolder(file, command.opts());
    await watch(options.watch, options, command);
    return;
  }
  if (file === undefined) throw new UsageError('Which file? itembridge sync FILE (or - for standard input)');
  const { client, ...service } = openService(options, command, patience);
  const states = statesOf(options);
  const progress = createProgress({ output: process.stderr }, options.quiet);
  process.exitCode = await untilInterrupted(async (signal) => {
    const input = await openSyncInput(file, readReadingOptions(options), signal);
    try {
      if (options.cancel) return await cancelOwn();
      return await runSync({ client, service, input, wish: options, states, progress, signal });
    } finally {
      input.cleanUp();
    }

    async function cancelOwn(): Promise<number> {
      const id = states.find(identityOf({ service, input, wish: options }))?.bulkId;
      if (id === undefined) throw new UsageError(`No sync of ${input.name} was begun here with these options.`);
      await cancel(id, options, command);
      return 0;
    }
  });
}

async function showStatus(id: string | undefined, options: StateOptions, command: Command): Promise<void> {
  const { client, ...service } = openService(options, command, patience);
  if (id !== undefined) {
    const bulk = await client.bulkSyncs.read(id);
    console.log(describeBulk(bulk, { json: options.json, shown: [] }));
    return;
  }
  const states = statesOf(options);
  const begun = states.of(ownerOf(service)).filter(isOfUse);
  if (begun.length === 0 && !options.json) console.log('Nothing begun on this machine is unfinished.');
  for (const { bulkId, file, startedAt } of begun) {
    if (bulkId === undefined) {
      if (!options.json)
        console.log(`${file}, begun ${startedAt}: no answer to the upload yet; the same command asks again`);
      continue;
    }
    const bulk = await findBulk(client, bulkId);
    if (bulk === undefined) {
      states.forgetBulk(bulkId);
      if (!options.json) console.log(`${file}, begun ${startedAt}: ${bulkId} is not kept any more`);
      continue;
    }
    console.log(`${options.json ? '' : `${file}: `}${describeBulk(bulk, { json: options.json, shown: [] })}`);
  }
}

/** After a later sync, repeating the same command no longer asks for the missing answer. */
const isOfUse = ({ bulkId, isSuperseded }: SyncState): boolean => bulkId !== undefined || !isSuperseded;

const ownerOf = ({ url, apiKey, account }: Service): SyncOwner => ({ server: url, apiKey, account });

async function cancel(id: string | undefined, options: StateOptions, command: Command): Promise<void> {
  const { client, ...service } = openService(options, command, patience);
  const wanted = id ?? (await newestUnfinished(client, statesOf(options).of(ownerOf(service))));
  if (wanted === undefined)
    throw new UsageError(
      `Which one? Nothing begun on this machine${service.account === undefined ? '' : ` for ${service.account}`} is unfinished.`,
    );
  const cancelled = await client.bulkSyncs.cancel(wanted);
  const words = isOver(cancelled) ? cancelled.state : 'is being cancelled; what was applied stays';
  console.log(options.json ? JSON.stringify(cancelled) : `${cancelled.id} ${words}`);
}

async function newestUnfinished(client: ItembridgeClient, begun: readonly SyncState[]): Promise<string | undefined> {
  for (const { bulkId } of begun) {
    const bulk = bulkId === undefined ? undefined : await findBulk(client, bulkId);
    if (bulk !== undefined && !isOver(bulk)) return bulk.id;
  }
  return undefined;
}

const statesOf = ({ stateHome }: StateOptions): SyncStates =>
  new SyncStates(join(stateHome ?? join(homedir(), '.local', 'state'), 'itembridge', 'syncs'));
