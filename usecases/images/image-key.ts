import type { AccountId } from '../../core/ids.ts';
import type { ImageSize } from '../../gateways/image-codec/port.ts';

/** Key of an image's file in the image store. */
export const imageKey = (account: AccountId, contentHash: string, size: ImageSize): string =>
  `${account}/${contentHash}/${size}.jpg`;
