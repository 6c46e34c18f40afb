import { Refusal } from '../../core/errors.ts';
import { ImageNotStored, type ImageStore } from '../../gateways/image-store/port.ts';

/** The JPEG under `<accountId>/<contentHash>/<size>.jpg`. Throws {@link Refusal} NOT_FOUND. */
export async function readHostedImage(store: ImageStore, key: string): Promise<Buffer> {
  try {
    return await store.read(key);
  } catch (error) {
    if (error instanceof ImageNotStored) throw new Refusal('NOT_FOUND', 'No such image', { cause: error });
    throw error;
  }
}
