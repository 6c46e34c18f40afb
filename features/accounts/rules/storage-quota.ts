import type { ImageFailure } from '../../images/rules/image-failure.ts';
import { Refusal } from '../../rules/errors.ts';

export interface StorageQuota {
  readonly itemsMax: number;
  readonly imagesMax: number;
  /** Bytes of the hosted files, both sizes together. */
  readonly imageBytesMax: number;
}

export interface ImageUse {
  readonly images: number;
  readonly bytes: number;
}

export interface Measure {
  readonly used: number;
  readonly limit: number;
}

/** `GET /partner/usage`. */
export const describeUse = (items: number, { images, bytes }: ImageUse, quota: StorageQuota) => ({
  items: { used: items, limit: quota.itemsMax },
  images: { used: images, limit: quota.imagesMax },
  imageBytes: { used: bytes, limit: quota.imageBytesMax },
});

export const tooManyItems = (used: number, { itemsMax }: Pick<StorageQuota, 'itemsMax'>): Refusal =>
  new Refusal(
    'QUOTA_EXCEEDED',
    `The account has ${used} of at most ${itemsMax} items: delete some, or ask the operator for more`,
  );

/** Why a further image is not hosted; undefined while the quota has room. */
export function imageQuotaFailure({ images, bytes }: ImageUse, quota: StorageQuota): ImageFailure | undefined {
  const { imagesMax, imageBytesMax } = quota;
  const full = (detail: string): ImageFailure => ({ kind: 'quota_exceeded', detail });
  if (images >= imagesMax) return full(`${images} of at most ${imagesMax} images`);
  return bytes >= imageBytesMax ? full(`${bytes} of at most ${imageBytesMax} bytes`) : undefined;
}
