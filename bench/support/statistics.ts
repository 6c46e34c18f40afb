/** The middle value; of an even number the mean of the two in the middle. Throws when there is none. */
export function median(values: readonly number[]): number {
  const sorted = ascending(values);
  const half = sorted.length / 2;
  return Number.isInteger(half) ? (at(sorted, half - 1) + at(sorted, half)) / 2 : at(sorted, Math.floor(half));
}

/** Nearest rank: the smallest value that at least `percent` % of all are not above. Throws when there is none. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = ascending(values);
  return at(sorted, Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1));
}

const ascending = (values: readonly number[]): number[] => [...values].sort((left, right) => left - right);

function at(sorted: readonly number[], index: number): number {
  const value = sorted[index];
  if (value === undefined) throw new Error('nothing was measured');
  return value;
}
