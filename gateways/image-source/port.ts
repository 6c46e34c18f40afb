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

/** Gives the buffers that images are read into. Both are told the most bytes that the image may have. */
export interface ImageRoom {
  /** undefined where there is no room at once: the connection is given up. */
  take(bytesMax: number): Buffer | undefined;
  /** In place of what was taken. Then the image is asked for again: no time of the download passes meanwhile. */
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
