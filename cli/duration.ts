import { UsageError } from './exit-codes.ts';

const unitsMs: ReadonlyMap<string, number> = new Map([
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

/** Converts `90s`, `10m`, `2h`, `1d` to milliseconds. Throws UsageError. */
export function durationMs(text: string): number {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const unitMs = unitsMs.get(unit ?? '');
  if (count === undefined || unitMs === undefined) throw new UsageError(`${text} is no duration: 90s, 10m, 2h or 1d.`);
  return Number(count) * unitMs;
}
