import { describeImageFailure, type ImageFailure } from '../../core/items/image-failure.ts';

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
