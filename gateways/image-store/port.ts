/** Where hosted images live. Keys are `<accountId>/<contentHash>/<size>.jpg`; writing the same key again is harmless. */
export interface ImageStore {
  put(key: string, bytes: Buffer): Promise<void>;
  /** Throws {@link ImageNotStored}. */
  read(key: string): Promise<Buffer>;
  has(key: string): Promise<boolean>;
  /** Removing what is not there succeeds. */
  remove(key: string): Promise<void>;
  /** Clears away what writes that a crash cut off left before that time; images are never touched. Returns how many. */
  removeLeftovers(before: Date): Promise<number>;
}

export class ImageNotStored extends Error {
  override readonly name = 'ImageNotStored';
  constructor(key: string) {
    super(`no image is stored under ${key}`);
  }
}
