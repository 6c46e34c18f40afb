import { Command, Option } from 'commander';
import { stuckListPages } from '../../compose/stuck-lists.ts';
import { UsageError } from '../exit-codes.ts';
import { readReadyFile } from '../ready-file.ts';
import { addHomeOption } from '../running-system.ts';
import { table } from './table.ts';

interface ListsOptions {
  readonly home: string;
  readonly temporalUi?: string;
  readonly temporalNamespace: string;
  readonly json: boolean;
}

/** `itembridge ops lists`: addresses to open, bookmark and send to others. Reads nothing from the system. */
export const listsCommand = addHomeOption(new Command('lists'))
  .description('the addresses of the lists in the Temporal UI: everything that is stuck, and one for each reason')
  .addOption(new Option('--temporal-ui <url>', 'address of the Temporal UI').env('TEMPORAL_UI_URL'))
  .addOption(new Option('--temporal-namespace <name>').env('TEMPORAL_NAMESPACE').default('default'))
  .option('--json', 'output for programs: JSON', false)
  .action(showLists);

function showLists({ home, temporalUi, temporalNamespace: namespace, json }: ListsOptions): void {
  const uiUrl = (temporalUi ?? readReadyFile(home)?.temporalUiUrl ?? '').replace(/\/+$/, '');
  if (uiUrl === '') throw new UsageError('Where is the Temporal UI? Say --temporal-ui, or set TEMPORAL_UI_URL.');
  const lists = stuckListPages({ uiUrl, namespace });
  const rows = lists.map(({ name, about, url }) => [name, about, url]);
  console.log(json ? JSON.stringify(lists, undefined, 2) : table(['LIST', 'WAITING FOR', 'ADDRESS'], rows));
}
