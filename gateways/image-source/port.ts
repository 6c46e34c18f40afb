import { describeImageFailure, type ImageFailure } from '../../core/items/image-failure.ts';

/** Downloads a partner's image. Throws {@link ImageDownloadError}, or what `room` throws. */
export interface ImageSource {
  /** The bytes are bounded in size and time by the implementation. They lie in a buffer of `room`. */
  download(url: string, options?: DownloadOptions): Promise<Buffer>;
}

export interface DownloadOptions {
  /** Aborts the download. */
  readonly signal?: AbortSignal | undefined;
  readonly room?: ImageRoom;
}

/** Provides the buffers that images are read into. Both methods get the largest possible size of the image. */
export interface ImageRoom {
  /** Returns undefined when there is no room now; the download is then broken off. */
  take(bytesMax: number): Buffer | undefined;
  /** Waits for room after `take` found none. The image is requested again then, so no time of the download passes. */
  wait(bytesMax: number): Promise<Buffer>;
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
