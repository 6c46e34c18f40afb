import { Refusal } from '../../core/errors.ts';
import { ImageNotStored } from '../../gateways/image-store/port.ts';
import type { Context } from '../context.ts';

/** The JPEG under `<accountId>/<contentHash>/<size>.jpg`. Throws {@link Refusal} NOT_FOUND. */
export async function readHostedImage({ imageStore }: Pick<Context, 'imageStore'>, key: string): Promise<Buffer> {
  try {
    return await imageStore.read(key);
  } catch (error) {
    if (error instanceof ImageNotStored) throw new Refusal('NOT_FOUND', 'No such image', { cause: error });
    throw error;
  }
}
