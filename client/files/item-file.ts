import { columnName, itemOfRow, planColumns, type ColumnPlan, type ColumnWish, type Header } from './columns.ts';
import { csvRows, firstRows, type CsvDialect, type CsvRow } from './csv-rows.ts';
import { FileProblem, type FileRemark } from './file-findings.ts';
import { listedItems } from './json-list.ts';
import { requiredFields } from './item-fields.ts';
import { isArchived, isCutLine } from './own-exports.ts';
import { ReadingNotes } from './reading-notes.ts';
import { detectEncoding } from './detect-encoding.ts';
import { decodeText, textLines, type ByteSource, type TextEncoding } from './text-encoding.ts';

export type FileFormat = 'csv' | 'ndjson' | 'json';

/** A file of items; only its beginning was read so far. */
export type ItemFile = {
  readonly encoding: TextEncoding;
  /** Its text; each call starts at the beginning. */
  readonly text: () => AsyncIterable<string>;
} & (
  | {
      readonly format: 'csv';
      readonly dialect: CsvDialect;
      readonly header: Header;
      /** How many rows at the end are left out. */
      readonly skipLast: number;
    }
  /** One object per line, or one array of objects. */
  | { readonly format: 'ndjson'; readonly newline: '\n' | '\r' }
  | { readonly format: 'json' }
);

export type CsvFile = Extract<ItemFile, { format: 'csv' }>;
export type JsonFile = Exclude<ItemFile, CsvFile>;

export interface OpenOptions {
  /** A label that TextDecoder knows; detected by default. A byte order mark overrides it. */
  readonly encoding?: string | undefined;
  /** Detected by default. */
  readonly format?: FileFormat | undefined;
  /** The format of an empty file; by default an empty file is refused. */
  readonly emptyFormat?: FileFormat | undefined;
  /** For CSV: the line of the header; by default the first that is not empty. */
  readonly headerLine?: number | undefined;
  /** For CSV: how many rows at the end are left out, such as sums. */
  readonly skipLast?: number | undefined;
}

/** Throws {@link FileProblem} when the file can't be one of items. */
export async function openItemFile(bytes: ByteSource, options: OpenOptions = {}): Promise<ItemFile> {
  const { encoding: label, emptyFormat, headerLine, skipLast = 0 } = options;
  const encoding = await detectEncoding(bytes, label);
  const text = (): AsyncIterable<string> => decodeText(bytes(), encoding.label);
  const start = await startOf(text());
  const common = { encoding, text };
  const format = options.format ?? (start.trim() === '' ? emptyFormat : undefined) ?? formatOf(start);
  switch (format) {
    case 'ndjson':
      if (isWithinValue(start)) throw new FileProblem({ kind: 'oneValue' });
      return { ...common, format: 'ndjson', newline: newlineOf(start) };
    case 'json':
      return { ...common, format: 'json' };
    case 'csv':
      return { ...common, format: 'csv', skipLast, ...(await readHead(text, start, headerLine)) };
  }
}

/** The file as lines of a bulk sync, with remarks. Throws {@link FileProblem}, also while it is read. */
export interface ItemLines {
  readonly remarks: readonly FileRemark[];
  /** What the rows have shown; complete when `lines` was read to its end. */
  readonly noted: () => readonly FileRemark[];
  /**
   * Newline-delimited JSON in UTF-8. Each item has the line number that it has in the file; in a JSON list, that of its
   * position.
   */
  readonly lines: () => AsyncIterable<Uint8Array<ArrayBuffer>>;
}

/** The lines of a file. @param wish the columns' fields, for CSV */
export function itemLines(file: ItemFile, wish: ColumnWish = {}): ItemLines {
  const remarks: readonly FileRemark[] = file.encoding.isGuessed
    ? [{ kind: 'readAs', encoding: file.encoding.label }]
    : [];
  if (file.format !== 'csv') return { remarks, noted: () => [], lines: () => inLines(jsonLines(file)) };
  const plan = planColumns(file.header, wish);
  let notes = new ReadingNotes();
  const lines = (): AsyncIterable<Uint8Array<ArrayBuffer>> => {
    notes = new ReadingNotes();
    return inLines(rowsAsJson(file, plan, notes));
  };
  return { remarks: [...remarks, ...plan.remarks], noted: () => notes.remarks(), lines };
}

async function* rowsAsJson(
  file: CsvFile,
  { columns, archived }: ColumnPlan,
  notes: ReadingNotes,
): AsyncGenerator<NumberedText, void> {
  const needed = columns.filter(({ field: { name } }) => requiredFields.some((required) => required === name));
  const cellsMin = 1 + Math.max(...needed.map(({ source }) => ('index' in source ? source.index : -1)));
  const columnCount = file.header.names.length;
  for await (const { row, isLast } of withLast(itemRows(file))) {
    const { line, cells } = row;
    if (isLast && isTotals(cells, columnCount)) notes.add('totalsRow', line);
    if (isCutLine(cells)) notes.add('cutFile', line);
    else if (archived !== -1 && isArchived(cells[archived] ?? '')) notes.add('archivedRows', line);
    else {
      if (cells.length < cellsMin) throw tooFewCells(row, { columns: columnCount, isLast });
      const item = itemOfRow(cells, columns, { line, notes });
      if (item !== undefined) yield { line, text: JSON.stringify(item) };
    }
  }
}

const tooFewCells = (
  { line, cells }: CsvRow,
  { columns, isLast }: { readonly columns: number; readonly isLast: boolean },
): FileProblem =>
  new FileProblem(
    isLast && isTotals(cells, columns)
      ? { kind: 'totalsRow', line }
      : { kind: 'tooFewCells', line, cells: cells.length, columns },
  );

const totals = /^(?:(?:grand |sub)?totals?|(?:del|slut)?summa|totalt|tot|sum|antal(?: artiklar| rader)?)\b\W*\d*$/i;

const amount = /^[\d\s.,:-]+(?:kr|sek)?$/i;

/** Whether a row begins like a sum of the rows above it, or has hardly more than numbers. */
function isTotals(cells: readonly string[], columns: number): boolean {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  return (
    totals.test(filled[0] ?? '') ||
    (filled.length > 0 && filled.length <= columns - 2 && filled.every((cell) => amount.test(cell)))
  );
}

async function* withLast(
  rows: AsyncIterable<CsvRow>,
): AsyncGenerator<{ readonly row: CsvRow; readonly isLast: boolean }> {
  let held: CsvRow | undefined;
  for await (const row of rows) {
    if (held !== undefined) yield { row: held, isLast: false };
    held = row;
  }
  if (held !== undefined) yield { row: held, isLast: true };
}

/** The rows after the header. Throws {@link FileProblem} for a row with more cells than it. */
export async function* itemRows(file: CsvFile): AsyncGenerator<CsvRow, void> {
  const { dialect, header, skipLast } = file;
  const columns = header.names.length;
  for await (const { line, cells } of withoutLast(csvRows(file.text(), dialect), skipLast)) {
    if (line <= header.line) continue;
    // Separators at the end of a row are not counted, and some programs leave out those of empty cells there.
    const filled = cells.findLastIndex((cell) => cell.trim() !== '') + 1;
    if (filled > columns) throw new FileProblem({ kind: 'tooManyCells', line, cells: filled, columns });
    yield { line, cells: cells.slice(0, columns) };
  }
}

/** The rows without the last `count` that are not blank. */
async function* withoutLast(rows: AsyncIterable<CsvRow>, count: number): AsyncGenerator<CsvRow, void> {
  const held: CsvRow[] = [];
  for await (const row of rows) {
    if (row.cells.every((cell) => cell.trim() === '')) continue;
    held.push(row);
    const next = held.length > count ? held.shift() : undefined;
    if (next !== undefined) yield next;
  }
}

export interface NumberedText {
  readonly line: number;
  readonly text: string;
}

/** The texts of the values, with the numbers that the service will give to their lines. */
export async function* jsonLines(file: JsonFile): AsyncGenerator<NumberedText, void> {
  if (file.format === 'json')
    for await (const { item, text } of listedItems(file.text())) yield { line: item, text: withoutComments(text) };
  else
    for await (const { line, text } of textLines(file.text(), file.newline))
      if (text.trim() !== '') yield { line, text: withoutComments(text) };
}

/** Removes our own fields of a file of errors. A text that is not JSON stays as it is. */
function withoutComments(text: string): string {
  if (!text.includes('"#')) return text;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return text;
    return JSON.stringify(Object.fromEntries(Object.entries(value).filter(([name]) => !name.startsWith('#'))));
  } catch {
    return text;
  }
}

const chunkLength = 65_536;

async function* inLines(texts: AsyncIterable<NumberedText>): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const encoder = new TextEncoder();
  let held = '';
  let written = 0;
  for await (const { line, text } of texts) {
    held += `${'\n'.repeat(line - 1 - written)}${text}\n`;
    written = line;
    if (held.length < chunkLength) continue;
    yield encoder.encode(held);
    held = '';
  }
  if (held !== '') yield encoder.encode(held);
}

/** Enough text for a header and the line before it. */
async function startOf(text: AsyncIterable<string>): Promise<string> {
  let start = '';
  for await (const chunk of text) {
    start += chunk;
    if (start.length >= chunkLength) break;
  }
  return start;
}

function formatOf(start: string): FileFormat {
  const first = start.trimStart().charAt(0);
  if (first === '[') return 'json';
  return first === '{' ? 'ndjson' : 'csv';
}

/** The first line of one value that is printed over several lines. */
function isWithinValue(start: string): boolean {
  const [first = '', ...more] = start.trim().split(/\r\n|\r|\n/);
  return first.trim() === '{' && more.length > 0;
}

/** In a file without any LF, CR ends the lines. */
const newlineOf = (start: string): '\n' | '\r' => (start.includes('\r') && !start.includes('\n') ? '\r' : '\n');

const separators = [';', ',', '\t', '|'];

/** Spreadsheets write their separator into a first line, `sep=;`, before the header. */
const separatorLine = /^"?sep=(.)"?$/i;

/** The header, with the rows behind it: the first one may be a title. */
async function readHead(
  text: () => AsyncIterable<string>,
  start: string,
  headerLine: number | undefined,
): Promise<{ dialect: CsvDialect; header: Header }> {
  const newline = newlineOf(start);
  const first = firstLine(start.split(newline), headerLine);
  const dialect = { newline, separator: first.separator ?? separatorOf(start, { newline, line: first.line }) };
  const rows: Omit<Header, 'following'>[] = [];
  for await (const { line, cells } of csvRows(text(), dialect)) {
    if (line < first.line) continue;
    rows.push({ line, names: withoutEnd(cells.map(columnName)) });
    if (rows.length > followingMax) break;
  }
  const [header, ...following] = rows;
  if (header === undefined) throw new FileProblem({ kind: 'empty' });
  if (headerLine !== undefined && header.line !== headerLine)
    throw new FileProblem({ kind: 'noHeaderLine', line: headerLine });
  return { dialect, header: { ...header, ...(headerLine === undefined && { following }) } };
}

/** Rows behind the first one that may be the header. */
const followingMax = 10;

/** The line on which the header is looked for, and the separator when the file names it. */
function firstLine(
  lines: readonly string[],
  headerLine: number | undefined,
): { readonly line: number; readonly separator: string | undefined } {
  const first = lines.findIndex((line) => line.trim() !== '') + 1;
  if (first === 0) throw new FileProblem({ kind: 'empty' });
  const separator = separatorLine.exec((lines[first - 1] ?? '').replace(/\r$/, ''))?.[1];
  return { line: headerLine ?? (separator === undefined ? first : first + 1), separator };
}

/** The separator that gives the header most cells; but the rows behind it, when they have but one: then it is a title. */
function separatorOf(start: string, { newline, line }: { newline: '\n' | '\r'; line: number }): string {
  const counts = separators.map((separator) => {
    // A header that is all of a short file has no line end.
    const rows = firstRows(`${start}${newline}`, { newline, separator }).filter((row) => row.line >= line);
    const [header = 1, ...more] = rows.slice(0, followingMax).map(({ cells }) => cells.length);
    return { separator, header, usual: usualOf(more) };
  });
  const best = counts.reduce((one, next) => (next.header > one.header ? next : one));
  if (best.usual > 1) return best.separator;
  const behind = counts.reduce((one, next) => (next.usual > one.usual ? next : one));
  return behind.usual >= requiredFields.length ? behind.separator : best.separator;
}

/** The number of cells that most rows have; 0 without rows. */
function usualOf(counts: readonly number[]): number {
  const times = (count: number): number => counts.filter((other) => other === count).length;
  return counts.reduce((usual, count) => (times(count) > times(usual) ? count : usual), counts[0] ?? 0);
}

/** Columns without a name at the end come from superfluous separators. */
const withoutEnd = (names: readonly string[]): readonly string[] =>
  names.slice(0, names.findLastIndex((name) => name !== '') + 1);
