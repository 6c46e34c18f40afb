import { PassThrough, type Readable } from 'node:stream';
import { ImageNotStored, ImageStoreUnavailable, isImageKey } from './port.ts';

/** Throws an Error for another key, so that nothing is written under it. */
export function requireImageKey(key: string): void {
  if (!isImageKey(key)) throw new Error(`not an image key: ${JSON.stringify(key)}`);
}

/** Runs `work` of a store. Any error but {@link ImageNotStored} becomes {@link ImageStoreUnavailable}. */
export async function inStore<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ImageNotStored ? error : asUnavailable(error);
  }
}

/** False when `look` finds that the image is not stored; other errors are thrown. */
export async function isStored(look: Promise<unknown>): Promise<boolean> {
  try {
    await look;
    return true;
  } catch (error) {
    if (error instanceof ImageNotStored) return false;
    throw error;
  }
}

/** The same bytes, with the errors of {@link inStore}. Destroying it destroys `source`. */
export function failingAsStore(source: Readable): Readable {
  const content = new PassThrough();
  source.on('error', (error) => content.destroy(asUnavailable(error)));
  content.on('close', () => source.destroy());
  return source.pipe(content);
}

function asUnavailable(error: unknown): ImageStoreUnavailable {
  if (error instanceof ImageStoreUnavailable) return error;
  return new ImageStoreUnavailable(error instanceof Error ? error.message : String(error), error);
}
