/** Limits of one upload; tests use smaller ones. */
export interface UploadLimits {
  readonly linesMax: number;
  /** Bytes of one line, without its line end. */
  readonly lineBytesMax: number;
}

export const linesMax = 1_000_000;

export const uploadLimits: UploadLimits = {
  linesMax,
  lineBytesMax: 1024 * 1024,
};

/** Most unfinished bulk syncs of one account at a time. */
export const unfinishedMax = 20;
