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

/** Downloads a partner's image. Throws {@link ImageDownloadError}. */
export interface ImageSource {
  /** The bytes are bounded in size and time by the implementation. They lie in a buffer of `room`. */
  download(url: string, options?: DownloadOptions): Promise<Buffer>;
}

export interface DownloadOptions {
  /** Aborts the download. */
  readonly signal?: AbortSignal | undefined;
  readonly room?: ImageRoom;
}

/**
 * Resolves with a buffer for an image of at most so many bytes. The image waits meanwhile, and its time stands still. A second
 * call ends the use of the first buffer: the image was larger than its host let expect, and is requested again.
 */
export type ImageRoom = (bytesMax: number) => Promise<Buffer>;

/** Whether trying again may help: `later` where the image may not be there yet. */
export type Retry = 'never' | 'soon' | 'later';

export class ImageDownloadError extends Error {
  override readonly name = 'ImageDownloadError';
  readonly failure: ImageFailure;
  readonly retry: Retry;
  constructor(failure: ImageFailure, options: { retry: Retry; cause?: unknown }) {
    super(describeImageFailure(failure), options.cause === undefined ? undefined : { cause: options.cause });
    this.failure = failure;
    this.retry = options.retry;
  }
}
