import { Command, InvalidArgumentError } from 'commander';
import { withAdministration } from './administer-accounts.ts';
import { addOperatorOption } from './operator.ts';
import { addSystemOptions, type SystemOptions } from './running-system.ts';

interface RestoreOptions extends SystemOptions {
  readonly at: Date;
}

/** `itembridge after-restore --at TIME`. Run it before API and workers start on the restored database; it may be repeated. */
export const afterRestoreCommand = addOperatorOption(addSystemOptions(new Command('after-restore')))
  .description(
    'after the database was restored to an earlier moment: tell readers of events, and look for auctions that came up since',
  )
  .requiredOption('--at <time>', 'the moment to which it was restored, ISO 8601', pastTime)
  .action(runAfterRestore);

async function runAfterRestore(options: RestoreOptions): Promise<void> {
  await withAdministration(options, async (administration) => {
    const { sellers } = await administration.afterRestore({ at: options.at });
    console.log(
      `The feeds of events begin anew after ${options.at.toISOString()}: a cursor from before gets 410, and begins again without "after".`,
    );
    console.log(
      sellers === 0
        ? 'No seller is connected to the marketplace, so no auction can have come up since.'
        : `${sellers} sellers are looked at when the workers run, with one list of running auctions each: what came up since is given to its item (log: auction.up_unexpected), and what belongs to no item is named (auction.item_unknown).`,
    );
  });
}

function pastTime(text: string): Date {
  const at = new Date(text);
  if (!/^\d{4}-\d{2}-\d{2}T/.test(text) || Number.isNaN(at.getTime()))
    throw new InvalidArgumentError('must be a time such as 2026-11-27T03:00:00Z');
  if (at.getTime() > Date.now()) throw new InvalidArgumentError('must be in the past');
  return at;
}
