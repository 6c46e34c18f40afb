import type { Row } from './verify-outcome.ts';

const isRight = ({ wanted, got }: Row): boolean => wanted === got;

/** The rows as a table for a terminal, wanted beside got. */
export function summaryTable(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(({ name }) => name.length));
  const head = `${' '.repeat(width)}   wanted      got`;
  const body = rows.map(
    (row) =>
      `${row.name.padEnd(width)} ${String(row.wanted).padStart(8)} ${String(row.got).padStart(8)}  ${isRight(row) ? '✓' : '✗'}`,
  );
  return [head, ...body].join('\n');
}

/** Everything that is off, one line each; empty when the demo has succeeded. */
export function failures(rows: readonly Row[], problems: readonly string[]): string[] {
  const numbers = rows
    .filter((row) => !isRight(row))
    .map(({ name, wanted, got }) => `${name.trim()}: ${wanted} wanted, ${got} got`);
  return [...numbers, ...problems];
}

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
