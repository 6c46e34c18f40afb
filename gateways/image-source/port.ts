/** Downloads a partner's image. Throws {@link ImageDownloadError} and nothing else. */
export interface ImageSource {
  /** `signal` aborts the download; the bytes are bounded in size and time by the implementation. */
  download(url: string, signal?: AbortSignal): Promise<Buffer>;
}

/** `reason` is safe to show to the partner; `transient` says whether trying again later may help. */
export class ImageDownloadError extends Error {
  override readonly name = 'ImageDownloadError';
  readonly reason: string;
  readonly transient: boolean;
  constructor(reason: string, options: { transient: boolean; cause?: unknown }) {
    super(reason, options.cause === undefined ? undefined : { cause: options.cause });
    this.reason = reason;
    this.transient = options.transient;
  }
}
