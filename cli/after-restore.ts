import { Command, InvalidArgumentError } from 'commander';
import type { AfterRestore } from '../features/operations/after-restore.ts';
import { counted } from '../features/rules/counted.ts';
import { withAdministration } from './administer-accounts.ts';
import { addOperatorOption } from './operator.ts';
import { addSystemOptions, type SystemOptions } from './running-system.ts';

interface RestoreOptions extends SystemOptions {
  readonly at: Date;
  readonly imagesLost?: boolean;
}

/** `itembridge after-restore --at TIME`. Run it before API and workers start on the restored database; it may be repeated. */
export const afterRestoreCommand = addOperatorOption(addSystemOptions(new Command('after-restore')))
  .description(
    'after the database was restored to an earlier moment: tell readers of events, and look for what happened since',
  )
  .requiredOption('--at <time>', 'the moment to which it was restored, ISO 8601', pastTime)
  .option('--images-lost', 'go on although the image store lacks most images')
  .action(runAfterRestore);

async function runAfterRestore(options: RestoreOptions): Promise<void> {
  const { loadImageStoreConfig } = await import('../compose/config.ts');
  const { openImageStore } = await import('../compose/image-store.ts');
  const imageStore = await openImageStore(loadImageStoreConfig());
  await withAdministration(options, async (administration) => {
    const done = await administration.afterRestore({
      at: options.at,
      areImagesLost: options.imagesLost === true,
      imageStore,
    });
    console.log(
      done === null ? 'All was done for this restore before. Nothing was changed.' : describe(done, options.at),
    );
  });
}

function describe({ sellers, images: { gone, unnamed } }: AfterRestore, at: Date): string {
  return [
    `Feeds of events begin anew after ${at.toISOString()}: a cursor from before gets 410, and begins again without "after".`,
    'Numbers of items and orders (revision, sequence) go on far higher, so none is given out twice.',
    'All sessions have ended: people sign in again.',
    sellers === 0
      ? 'No seller is connected to the marketplace, so no auction can have come up since.'
      : `${counted(sellers, 'seller')} will be looked at when the workers run, and nothing goes up before that. What came up or was sold since is given to its item (log: auction.up_unexpected); what belongs to no item is named (auction.item_unknown, sale.item_unknown).`,
    `${counted(gone, 'image')} of items had no file and will be fetched again. ${counted(unnamed, 'image')} had no row and will be deleted in a day unless an item names them.`,
  ].join('\n');
}

function pastTime(text: string): Date {
  const at = new Date(text);
  if (!/^\d{4}-\d{2}-\d{2}T/.test(text) || Number.isNaN(at.getTime()))
    throw new InvalidArgumentError('must be a time such as 2026-11-27T03:00:00Z');
  if (at.getTime() > Date.now()) throw new InvalidArgumentError('must be in the past');
  return at;
}
