import type { AccountId } from '../../core/ids.ts';
import type { ImageSize } from '../../gateways/image-codec/port.ts';

/** Where an image's file lives in the store. */
export const imageKey = (account: AccountId, contentHash: string, size: ImageSize): string =>
  `${account}/${contentHash}/${size}.jpg`;
