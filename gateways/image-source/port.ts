import { describeImageFailure, type ImageFailure } from '../../core/items/image-failure.ts';

/** Downloads a partner's image. Throws {@link ImageDownloadError} and nothing else. */
export interface ImageSource {
  /** The bytes are bounded in size and time by the implementation. They lie in the buffer of `makeRoom`. */
  download(url: string, options?: DownloadOptions): Promise<Buffer>;
}

export interface DownloadOptions {
  /** Aborts the download. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Called before the body is read, with the most bytes that it may have: gives the buffer that they go into. The body waits,
   * within the time of the download.
   */
  readonly makeRoom?: (bytesMax: number, signal: AbortSignal) => Promise<Buffer>;
}

/** `transient` says whether trying again later may help. */
export class ImageDownloadError extends Error {
  override readonly name = 'ImageDownloadError';
  readonly failure: ImageFailure;
  readonly transient: boolean;
  constructor(failure: ImageFailure, options: { transient: boolean; cause?: unknown }) {
    super(describeImageFailure(failure), options.cause === undefined ? undefined : { cause: options.cause });
    this.failure = failure;
    this.transient = options.transient;
  }
}
