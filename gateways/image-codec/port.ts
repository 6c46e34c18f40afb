import { describeImageFailure, type ImageFailure } from '../../core/items/image-failure.ts';

/** Sizes in which every image is hosted: the longest side in pixels. */
export const imageSizes = { large: 1600, thumb: 400 } as const;
export type ImageSize = keyof typeof imageSizes;

export interface EncodedImage {
  readonly large: Buffer;
  readonly thumb: Buffer;
  readonly widthPx: number;
  readonly heightPx: number;
}

export interface EncodeOptions {
  /** The account of the image; accounts take turns. */
  readonly account: string;
  /** Stops the work; the call then rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Turns untrusted bytes into clean JPEG (content sniffed, pixels bounded, metadata stripped). Throws {@link UnusableImage}. */
export interface ImageCodec {
  encode(bytes: Buffer, options: EncodeOptions): Promise<EncodedImage>;
}

/** The image can't be used, and a retry would not help. */
export class UnusableImage extends Error {
  override readonly name = 'UnusableImage';
  readonly failure: ImageFailure;
  constructor(failure: ImageFailure, cause?: unknown) {
    super(describeImageFailure(failure), cause === undefined ? undefined : { cause });
    this.failure = failure;
  }
}
