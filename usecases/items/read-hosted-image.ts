import { Refusal } from '../../core/errors.ts';
import { ImageNotStored, type ImageFacts, type ByteRange, type OpenImage } from '../../gateways/image-store/port.ts';
import type { Context } from '../context.ts';

export interface HostedImage {
  readonly stat: () => Promise<ImageFacts>;
  readonly open: (range?: ByteRange) => Promise<OpenImage>;
}

/** The JPEG under `<accountId>/<contentHash>/<size>.jpg`. Both functions throw {@link Refusal} NOT_FOUND. */
export const readHostedImage = ({ imageStore }: Pick<Context, 'imageStore'>, key: string): HostedImage => ({
  stat: () => imageStore.stat(key).catch(refuseMissing),
  open: (range) => imageStore.open(key, range).catch(refuseMissing),
});

function refuseMissing(error: unknown): never {
  if (error instanceof ImageNotStored) throw new Refusal('NOT_FOUND', 'No such image', { cause: error });
  throw error;
}
