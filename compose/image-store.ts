import { createDiskImageStore } from '../gateways/image-store/disk-image-store.ts';
import { createMovingImageStore } from '../gateways/image-store/moving-image-store.ts';
import type { ImageStore } from '../gateways/image-store/port.ts';
import type { Config } from './config.ts';

/** The configured image store. Reaches nothing yet, so a store that is away keeps no process from starting. */
export async function openImageStore({
  kind,
  directory,
  formerDirectory,
  s3,
}: Config['imageStore']): Promise<ImageStore> {
  if (kind === 'disk') return createDiskImageStore(directory);
  // The SDK takes 20 MB of memory, which only those pay who use it.
  const { createS3ImageStore } = await import('../gateways/image-store/s3-image-store.ts');
  const present = createS3ImageStore(s3);
  return formerDirectory === ''
    ? present
    : createMovingImageStore({ present, former: createDiskImageStore(formerDirectory) });
}
