import { Refusal } from '../rules/errors.ts';
import { accountId, type AccountId } from '../rules/ids.ts';
import { imageSizes, type ImageSize } from '../../gateways/image-process/port.ts';
import { ImageNotStored, type ByteRange, type ImageFacts, type OpenImage } from '../../gateways/image-store/port.ts';
import type { ImageId } from './store/image-records.ts';
import type { Context } from '../context.ts';

export const imageKey = (account: AccountId, contentHash: string, size: ImageSize): string =>
  `${account}/${contentHash}/${size}.jpg`;

/** Its public address. `imagesUrl` is the base of all image addresses. */
export const imageAddress = (imagesUrl: string, ...[account, contentHash, size]: Parameters<typeof imageKey>): string =>
  `${imagesUrl}/${imageKey(account, contentHash, size)}`;

/** The image of a key; null for a file of another origin. */
export function readImageKey(key: string): (ImageId & { readonly size: ImageSize }) | null {
  const [, account, contentHash, size] = /^([\w-]+)\/([0-9a-f]{64})\/(\w+)\.jpg$/.exec(key) ?? [];
  if (account === undefined || contentHash === undefined || size === undefined) return null;
  return isImageSize(size) ? { accountId: accountId(account), contentHash, size } : null;
}

const isImageSize = (name: string): name is ImageSize => Object.hasOwn(imageSizes, name);

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
