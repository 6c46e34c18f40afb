/** What one upload may be; tests use smaller ones. */
export interface UploadLimits {
  readonly linesMax: number;
  /** Of one line, without its end. */
  readonly lineBytesMax: number;
}

export const linesMax = 1_000_000;

export const uploadLimits: UploadLimits = {
  linesMax,
  lineBytesMax: 1024 * 1024,
};

/** Unfinished bulk syncs of one account. */
export const unfinishedMax = 20;
