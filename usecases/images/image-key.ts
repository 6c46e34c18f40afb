import type { AccountId } from '../../core/ids.ts';
import type { ImageSize } from '../../gateways/image-codec/port.ts';

/** Key of an image's file in the image store. */
export const imageKey = (account: AccountId, contentHash: string, size: ImageSize): string =>
  `${account}/${contentHash}/${size}.jpg`;

/** Its public address. `imagesUrl` is the base of all of them. */
export const imageAddress = (imagesUrl: string, ...[account, contentHash, size]: Parameters<typeof imageKey>): string =>
  `${imagesUrl}/${imageKey(account, contentHash, size)}`;
