/** Where a process without the key of the image store may write one file of an image. */
export type ImagePlace =
  | {
      readonly kind: 'file';
      readonly path: string;
      /** The file has this path, on the same file system, until it is whole. */
      readonly temporary: string;
    }
  /** An address that takes one PUT of a JPEG for half an hour. */
  | { readonly kind: 'address'; readonly url: string };
