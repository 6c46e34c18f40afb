/** Sizes of every hosted image: the longest side in pixels. */
export const imageSizes = { large: 1600, thumb: 400 } as const;
export type ImageSize = keyof typeof imageSizes;

export interface EncodedImage {
  readonly large: Buffer;
  readonly thumb: Buffer;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Converts untrusted bytes to clean JPEG (content sniffed, pixels limited, metadata removed). Throws {@link UnusableImage}. */
export interface ImageCodec {
  encode(bytes: Buffer): Promise<EncodedImage>;
}

/** `reason` is safe to show to the partner; a retry does not help. */
export class UnusableImage extends Error {
  override readonly name = 'UnusableImage';
  readonly reason: string;
  constructor(reason: string, cause?: unknown) {
    super(reason, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}
