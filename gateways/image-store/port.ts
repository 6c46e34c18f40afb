import type { Readable } from 'node:stream';
import type { ImagePlace } from '../../features/images/rules/image-place.ts';

/** What is known of a stored image without its bytes. */
export interface ImageFacts {
  readonly bytes: number;
  /** Opaque, of letters, digits, `.` and `-`. Other bytes under the same key have another tag. */
  readonly tag: string;
  readonly storedAt: Date;
}

/** First and last byte, both included, and within the image. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface OpenImage extends ImageFacts {
  /** The bytes, or those of the range. Read it to its end or destroy it. Fails with {@link ImageStoreUnavailable}. */
  readonly content: Readable;
}

/**
 * Stores hosted images: JPEG files under keys of the form `<accountId>/<contentHash>/<size>.jpg`. A put takes effect as
 * a whole or not at all. Every read that begins after the end of a put or remove sees its effect. Writing the same key
 * again is harmless. Every method throws {@link ImageStoreUnavailable} when the store fails.
 */
export interface ImageStore {
  /** Throws an Error for an invalid key ({@link isImageKey}). */
  put(key: string, bytes: Buffer): Promise<void>;
  /** Where a process that has no access to the store may put this key, as a whole like {@link put}. Throws as put does. */
  place(key: string): Promise<ImagePlace>;
  /** Throws {@link ImageNotStored}. */
  read(key: string): Promise<Buffer>;
  /** Throws {@link ImageNotStored}. */
  stat(key: string): Promise<ImageFacts>;
  /** Opens an image, to send it on without holding all of it in memory. Throws {@link ImageNotStored}. */
  open(key: string, range?: ByteRange): Promise<OpenImage>;
  has(key: string): Promise<boolean>;
  /** Succeeds when the key does not exist. Ends within 10 s: the collector relies on it (decisions "Images"). */
  remove(key: string): Promise<void>;
  /** Removes temporary files of broken writes older than `before`; images are never removed. Returns their number. */
  removeLeftovers(before: Date): Promise<number>;
  /** Succeeds when images can be read now. */
  check(): Promise<void>;
  /** Every key once, or those of one account; keys that are added or removed meanwhile may be missed. */
  list(account?: string): AsyncIterable<string>;
}

/** The store has no image under this key. */
export class ImageNotStored extends Error {
  override readonly name = 'ImageNotStored';
  constructor(key: string) {
    super(`no image is stored under ${key}`);
  }
}

/** A fault of the store and not of the image: out of reach, full, wrong rights, no such bucket. Trying again may help. */
export class ImageStoreUnavailable extends Error {
  override readonly name = 'ImageStoreUnavailable';
  constructor(problem: string, cause: unknown) {
    super(`the image store failed: ${problem}`, { cause });
  }
}

/** Letters, digits, `.`, `_`, `-`, and no leading dot: no `..`, hidden file, absolute path or encoding is possible. */
const keyForm = /^[A-Za-z0-9][A-Za-z0-9._-]*(?:\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/;
const keyLengthMax = 255;

export const isImageKey = (key: string): boolean => key.length <= keyLengthMax && keyForm.test(key);
