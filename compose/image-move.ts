import { createDiskImageStore } from '../gateways/image-store/disk-image-store.ts';
import { openStore } from '../store/database/connection.ts';
import { createImageRecordStore } from '../store/images/image-records.ts';
import { countImages, moveImages, type MoveOptions } from '../usecases/images/move-images.ts';
import type { Config } from './config.ts';
import { openImageStore } from './image-store.ts';

/** The move of images from the configured former folder to the bucket. Throws ImageStoreUnavailable when either fails. */
export async function openImageMove({ mongo, imageStore }: Pick<Config, 'mongo' | 'imageStore'>) {
  const from = createDiskImageStore(imageStore.formerDirectory);
  const to = await openImageStore({ ...imageStore, formerDirectory: '' });
  await Promise.all([from.check(), to.check()]);
  const store = await openStore(mongo);
  return {
    count: () => countImages(from),
    move: (options: MoveOptions) =>
      moveImages({ imageRecords: createImageRecordStore(store), from, to, now: store.clock.now }, options),
    close: () => store.close(),
  };
}
