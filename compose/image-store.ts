import { createDiskImageStore } from '../gateways/image-store/disk-image-store.ts';
import { createMovingImageStore } from '../gateways/image-store/moving-image-store.ts';
import type { ImageStore } from '../gateways/image-store/port.ts';
import { openMigratedStore } from '../platform/database/schema-version.ts';
import { schemaVersion } from './schema-steps.ts';
import { createImageRecordStore } from '../features/images/store/image-records.ts';
import { countImages, moveImages, type MoveOptions } from '../features/images/move-images.ts';
import type { Config } from './config.ts';

/** The configured image store. It opens no connection yet, so a process starts even when its store is unreachable. */
export async function openImageStore({
  kind,
  directory,
  formerDirectory,
  s3,
}: Config['imageStore']): Promise<ImageStore> {
  if (kind === 'disk') return createDiskImageStore(directory);
  // The SDK takes 20 MB of memory, so it is loaded only where it is used.
  const { createS3ImageStore } = await import('../gateways/image-store/s3-image-store.ts');
  const present = createS3ImageStore(s3);
  return formerDirectory === ''
    ? present
    : createMovingImageStore({ present, former: createDiskImageStore(formerDirectory) });
}

/** The move of images from the configured former folder to the bucket. Throws ImageStoreUnavailable when either fails. */
export async function openImageMove({ mongo, imageStore }: Pick<Config, 'mongo' | 'imageStore'>) {
  const from = createDiskImageStore(imageStore.formerDirectory);
  const to = await openImageStore({ ...imageStore, formerDirectory: '' });
  await Promise.all([from.check(), to.check()]);
  const store = await openMigratedStore({ ...mongo, schemaVersion });
  return {
    count: () => countImages(from),
    move: (options: MoveOptions) =>
      moveImages({ imageRecords: createImageRecordStore(store), from, to, now: store.clock.now }, options),
    close: () => store.close(),
  };
}
