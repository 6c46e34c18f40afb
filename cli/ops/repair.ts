import { Command } from 'commander';
import { addOperationsOptions, withOperations, type OperationsOptions } from './open-operations.ts';

/** `itembridge ops repair`: after an upgrade from a version without `ops`, and whenever such a version has run meanwhile. */
export const repairCommand = addOperationsOptions(new Command('repair'))
  .description('after an upgrade: note anew at every item what it stands still for, so that "stuck" finds it')
  .action(repair);

async function repair(options: OperationsOptions): Promise<void> {
  const told = await withOperations(options, (operations) =>
    operations.repairTrouble({
      onPage: ({ looked, repaired }) => {
        if (!options.json) console.error(`${looked} looked at, ${repaired} repaired …`);
      },
    }),
  );
  console.log(options.json ? JSON.stringify(told) : `${told.looked} items looked at, ${told.repaired} repaired.`);
}
