import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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

const resultFile = 'bench/results/latest.json';
const documentFile = 'docs/evidence/benchmarks.md';
const marks = { begin: '<!-- results: written by npm run bench -->', end: '<!-- end of results -->' };

/** Writes the result for programs, and its table into the document for people. */
export function storeResult(result: BenchResult): void {
  mkdirSync(dirname(resultFile), { recursive: true });
  writeFileSync(resultFile, `${JSON.stringify(result, null, 2)}\n`);
  writeFileSync(documentFile, fillDocument(readFileSync(documentFile, 'utf8'), result));
}

/** The document with everything between its marks replaced. Throws when it has lost them. */
export function fillDocument(document: string, result: BenchResult): string {
  const [from, to] = [document.indexOf(marks.begin), document.indexOf(marks.end)];
  if (from === -1 || to < from) throw new Error(`${documentFile} has lost the marks around its results`);
  return [
    document.slice(0, from + marks.begin.length),
    '\n',
    describeRun(result),
    '\n\n',
    markdownTable(result.cases),
    ...result.notes.map((note) => `\n\n${note}`),
    '\n',
    document.slice(to),
  ].join('');
}

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
