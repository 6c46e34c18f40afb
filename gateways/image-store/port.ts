/** Where hosted images live. Keys are `<accountId>/<contentHash>/<size>.jpg`; writing the same key again is harmless. */
export interface ImageStore {
  put(key: string, bytes: Buffer): Promise<void>;
  /** Throws {@link ImageNotStored}. */
  read(key: string): Promise<Buffer>;
  has(key: string): Promise<boolean>;
  /** Succeeds when the key does not exist. */
  remove(key: string): Promise<void>;
  /** Removes temporary files of broken writes older than `before`; images are never removed. Returns their number. */
  removeLeftovers(before: Date): Promise<number>;
}

export class ImageNotStored extends Error {
  override readonly name = 'ImageNotStored';
  constructor(key: string) {
    super(`no image is stored under ${key}`);
  }
}
