import { itemOfRow, planColumns, type ColumnWish, type Header } from './columns.ts';
import { csvRows, type CsvDialect, type CsvRow } from './csv-rows.ts';
import { FileProblem, type FileRemark } from './file-findings.ts';
import { listedItems } from './json-list.ts';
import { requiredFields } from './item-fields.ts';
import { detectEncoding } from './detect-encoding.ts';
import { decodeText, textLines, type ByteSource, type TextEncoding } from './text-encoding.ts';

export type FileFormat = 'csv' | 'ndjson' | 'json';

/** A file of items; only its beginning was read so far. */
export type ItemFile = {
  readonly encoding: TextEncoding;
  /** Its text; each call starts at the beginning. */
  readonly text: () => AsyncIterable<string>;
} & (
  | { readonly format: 'csv'; readonly dialect: CsvDialect; readonly header: Header }
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
}

/** Throws {@link FileProblem} when the file can't be one of items. */
export async function openItemFile(bytes: ByteSource, options: OpenOptions = {}): Promise<ItemFile> {
  const { encoding: label, emptyFormat } = options;
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
      return { ...common, format: 'csv', ...(await readHead(text, start)) };
  }
}

/** The file as lines of a bulk sync, with remarks. Throws {@link FileProblem}, also while it is read. */
export interface ItemLines {
  readonly remarks: readonly FileRemark[];
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
  if (file.format !== 'csv') return { remarks, lines: () => inLines(jsonLines(file)) };
  const plan = planColumns(file.header, wish);
  const needed = plan.columns.filter(({ field: { name } }) => requiredFields.some((required) => required === name));
  const cellsMin = 1 + Math.max(...needed.map(({ source }) => ('index' in source ? source.index : -1)));
  const rows = async function* (): AsyncGenerator<NumberedText, void> {
    for await (const { line, cells } of itemRows(file, cellsMin)) {
      const item = itemOfRow(cells, plan.columns);
      if (item !== undefined) yield { line, text: JSON.stringify(item) };
    }
  };
  return { remarks: [...remarks, ...plan.remarks], lines: () => inLines(rows()) };
}

/**
 * The rows after the header. `cellsMin`: how many cells hold required fields. Throws {@link FileProblem} for a row with
 * fewer cells, and for one with more than the header.
 */
export async function* itemRows(file: CsvFile, cellsMin = 0): AsyncGenerator<CsvRow, void> {
  const { dialect, header } = file;
  const columns = header.names.length;
  for await (const { line, cells } of csvRows(file.text(), dialect)) {
    if (line <= header.line) continue;
    // Separators at the end of a row are not counted, and some programs leave out those of empty cells there.
    const filled = cells.findLastIndex((cell) => cell.trim() !== '') + 1;
    if (filled > columns) throw new FileProblem({ kind: 'tooManyCells', line, cells: filled, columns });
    if (filled > 0 && cells.length < cellsMin)
      throw new FileProblem({ kind: 'tooFewCells', line, cells: cells.length, columns });
    yield { line, cells: cells.slice(0, columns) };
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

async function readHead(
  text: () => AsyncIterable<string>,
  start: string,
): Promise<{ dialect: CsvDialect; header: Header }> {
  const newline = newlineOf(start);
  const lines = start.split(newline).map((line) => line.replace(/\r$/, ''));
  const first = lines.findIndex((line) => line.trim() !== '');
  if (first === -1) throw new FileProblem({ kind: 'empty' });
  const named = separatorLine.exec(lines[first] ?? '')?.[1];
  const separator = named ?? separatorOf(lines[first] ?? '');
  const dialect = { newline, separator };
  for await (const { line, cells } of csvRows(text(), dialect)) {
    if (named !== undefined && line === first + 1) continue;
    return { dialect, header: { line, names: withoutEnd(cells.map((cell) => cell.trim())) } };
  }
  throw new FileProblem({ kind: 'empty' });
}

/** The separator that gives the header most cells, outside of quotes. */
function separatorOf(header: string): string {
  const unquoted = header.replaceAll(/"[^"]*"/g, '');
  const counts = separators.map((separator) => ({ separator, count: unquoted.split(separator).length }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).separator;
}

/** Columns without a name at the end come from superfluous separators. */
const withoutEnd = (names: readonly string[]): readonly string[] =>
  names.slice(0, names.findLastIndex((name) => name !== '') + 1);
