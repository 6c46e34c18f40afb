import { statSync } from 'node:fs';
import { Command } from 'commander';
import type { MoveCounts } from '../features/images/move-images.ts';
import { exitCodes, Interrupted, untilInterrupted, UsageError } from './exit-codes.ts';
import { createProgress } from './progress.ts';
import { addOperatorOption } from './operator.ts';
import { addSystemOptions, findDatabase, type SystemOptions } from './running-system.ts';
import { counted } from '../features/rules/counted.ts';

interface MoveCommandOptions extends SystemOptions {
  readonly delete: boolean;
  readonly quiet: boolean;
}

/**
 * `itembridge move-images`. May run beside the service, be stopped and repeated. Exit code 0 when everything is in the bucket, 1
 * when images were left that are being deleted, 130 when it was interrupted.
 */
export const moveImagesCommand = addOperatorOption(addSystemOptions(new Command('move-images')))
  .description('copy hosted images from IMAGE_STORE_FORMER_DIR to the bucket, with the settings of the service')
  .option('--delete', 'delete each file once it is in the bucket', false)
  .option('--quiet', 'no progress', false)
  .action(runMove);

async function runMove(options: MoveCommandOptions): Promise<void> {
  const { openImageMove } = await import('../compose/image-store.ts');
  const imageStore = await readSettings();
  const move = await openImageMove({ mongo: findDatabase(options), imageStore });
  const progress = createProgress({ output: process.stderr }, options.quiet);
  try {
    const total = await move.count();
    const counts = await untilInterrupted(async (signal) => {
      let told: MoveCounts | undefined;
      const onImage = (counts: MoveCounts): void => {
        told = counts;
        progress.update('move', counts.moved + counts.beingDeleted, total);
      };
      const ended = await move.move({ deletes: options.delete, signal, onImage });
      if (!signal.aborted) return ended;
      throw new Interrupted(`Stopped. ${describe(told ?? ended)} The same command goes on.`);
    });
    progress.end();
    console.log(describe(counts));
    if (counts.beingDeleted > 0) process.exitCode = exitCodes.someFailed;
    else console.log(`All of ${imageStore.formerDirectory} is in the bucket.`);
  } finally {
    progress.end();
    await move.close();
  }
}

/** Throws {@link UsageError} while the service would not find what was moved. */
async function readSettings() {
  const { loadImageStoreConfig } = await import('../compose/config.ts');
  const { ConfigError } = await import('../compose/read-settings.ts');
  try {
    const settings = loadImageStoreConfig();
    if (settings.kind === 's3' && settings.formerDirectory !== '') return withFolder(settings);
  } catch (error) {
    if (error instanceof ConfigError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
  throw new UsageError(
    'First let the service use the bucket: IMAGE_STORE=s3 with its settings, and IMAGE_STORE_FORMER_DIR for the folder; then run this with the same.',
  );
}

function withFolder<Settings extends { readonly formerDirectory: string }>(settings: Settings): Settings {
  if (statSync(settings.formerDirectory, { throwIfNoEntry: false })?.isDirectory() === true) return settings;
  throw new UsageError(`${settings.formerDirectory} is no folder (IMAGE_STORE_FORMER_DIR).`);
}

function describe({ moved, copiedFiles, copiedBytes, knownFiles, beingDeleted, foreignFiles }: MoveCounts): string {
  const parts = [
    `${counted(copiedFiles, 'file')} of ${counted(moved, 'image')} copied (${(copiedBytes / 1_000_000).toFixed(1)} MB)`,
    `${counted(knownFiles, 'file')} already there`,
    ...(beingDeleted > 0 ? [`${counted(beingDeleted, 'image')} being deleted just now: run this again`] : []),
    ...(foreignFiles > 0 ? [`${counted(foreignFiles, 'file')} left alone, not being images of the service`] : []),
  ];
  return `${parts.join(', ')}.`;
}
