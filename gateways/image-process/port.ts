import { describeImageFailure, type ImageFailure } from '../../features/images/rules/image-failure.ts';
import type { ImagePlace } from '../../features/images/rules/image-place.ts';

/** Sizes in which every image is hosted: the longest side in pixels. */
export const imageSizes = { large: 1600, thumb: 400 } as const;
export type ImageSize = keyof typeof imageSizes;

export type ImagePlaces = Readonly<Record<ImageSize, ImagePlace>>;

export interface HostOptions {
  /** The account of the image; accounts take turns. */
  readonly account: string;
  /** Stops the work; the call then rejects with its reason. */
  readonly signal: AbortSignal;
  /**
   * Called with the SHA-256 of the downloaded bytes, and again where they are downloaded again. Says where the files go; null: they
   * are stored already. What it throws ends the call.
   */
  readonly placesOf: (contentHash: string) => Promise<ImagePlaces | null>;
}

export interface HostedFiles {
  /** SHA-256 of what was downloaded, in hexadecimal digits. */
  readonly contentHash: string;
  /** Of both files; null: they were stored already. */
  readonly bytes: number | null;
}

/**
 * Downloads a partner's picture and stores it as clean JPEG (content sniffed, pixels bounded, metadata stripped) in processes of
 * their own. Throws {@link UnusableImage}; any other error is a fault of ours, most often of the image store.
 */
export interface ImageProcesses {
  host(url: string, options: HostOptions): Promise<HostedFiles>;
}

/** Whether trying again may help: `later` where the image may not be there yet. */
export const retries = ['never', 'soon', 'later'] as const;
export type Retry = (typeof retries)[number];

/** The image can't be had or can't be used. */
export class UnusableImage extends Error {
  override readonly name = 'UnusableImage';
  readonly failure: ImageFailure;
  readonly retry: Retry;
  constructor(failure: ImageFailure, { retry = 'never', cause }: { retry?: Retry; cause?: unknown } = {}) {
    super(describeImageFailure(failure), cause === undefined ? undefined : { cause });
    this.failure = failure;
    this.retry = retry;
  }
}
