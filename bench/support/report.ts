import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Mode } from '../plans.ts';
import type { Machine } from './machine.ts';
import type { BenchCase } from './result.ts';

/** A case with what the machine did meanwhile: a row that is noise says so. */
export interface Row extends BenchCase {
  readonly isNoise: boolean;
}

export interface BenchResult {
  readonly machine: Machine;
  readonly versions: Readonly<Record<string, string>>;
  /** ISO 8601, when the run began. */
  readonly at: string;
  readonly mode: Mode;
  readonly cases: readonly Row[];
  /** What was left out of this run and why, and what else its figures don't say. */
  readonly notes: readonly string[];
}

const [resultFile, documentFile] = ['build/evidence/benchmarks.json', 'build/evidence/benchmarks.md'] as const;

/** Writes the result for programs, and its table for people. */
export function storeResult(result: BenchResult): void {
  mkdirSync(dirname(documentFile), { recursive: true });
  writeFileSync(resultFile, `${JSON.stringify(result, null, 2)}\n`);
  writeFileSync(documentFile, documentOf(result));
}

export const documentOf = (result: BenchResult): string =>
  `${['# Benchmarks', describeRun(result), markdownTable(result.cases), ...result.notes].join('\n\n')}\n`;

const warnings: Readonly<Record<Mode, string>> = {
  quick: '**A quick run: rough numbers, one short round each.** ',
  middle: 'Fewer and shorter rounds than a full run. ',
  full: '',
};

function describeRun({ machine, versions, at, mode }: BenchResult): string {
  const software = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return [
    `${warnings[mode]}${at.slice(0, 10)}, ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, ${machine.system};`,
    `load before the run ${machine.loadBefore}. ${software.join(', ')}.`,
  ].join(' ');
}

const headings = ['case', 'value', 'unit', 'floor', 'ratio', 'goal', 'met'] as const;

function cellsOf({ name, value, unit, floor, ratio, goal, target, met, isNoise }: Row): string[] {
  const verdict = [...(met === null ? [] : [met ? 'yes' : 'no']), ...(isNoise ? ['noise'] : [])].join(', ');
  // A goal is a ratio; a target has its unit, so that the one is never taken for the other.
  const wanted = [shown(goal), ...(target === null ? [] : [`${target} ${unit}`])].filter((text) => text !== '');
  return [name, String(value), unit, shown(floor), ratio === null ? '' : ratio.toFixed(2), wanted.join(', '), verdict];
}

const shown = (value: number | null): string => (value === null ? '' : String(value));

function markdownTable(cases: readonly Row[]): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [row(headings), '|---|--:|---|--:|--:|--:|---|', ...cases.map((one) => row(cellsOf(one)))].join('\n');
}

/** For a terminal: names to the left, numbers to the right. */
export function textTable(cases: readonly Row[]): string {
  const rows = [[...headings], ...cases.map(cellsOf)];
  const widths = headings.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) => row.map((cell, column) => pad(cell, widths[column] ?? 0, column === 0 || column === 2)).join('  '))
    .join('\n');
}

const pad = (cell: string, width: number, isText: boolean): string =>
  isText ? cell.padEnd(width) : cell.padStart(width);
