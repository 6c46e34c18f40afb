/** The pause after the n-th failure in a row: `firstMs` after the first, doubling up to `maxMs`. */
export const backoffMs = (failures: number, firstMs: number, maxMs: number): number =>
  Math.min(firstMs * 2 ** Math.min(failures - 1, 30), maxMs);

/** Pause after a lost start or a failed look: 2 s, doubling up to 10 minutes. */
export const retryPauseMs = (triesBefore: number): number => backoffMs(triesBefore + 1, 2_000, 600_000);
