import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { UsageError } from '../exit-codes.ts';
import { itemOfRow, readHeader, type Column, type Columns } from './csv-columns.ts';

interface Row {
  /** First line of the row in the file. */
  readonly line: number;
  readonly cells: readonly string[];
}

const chunkBytes = 65_536;

/** The header of a CSV file. Throws {@link UsageError} when it can't be one of items, or the file is no CSV. */
export async function readCsvColumns(file: string): Promise<Columns> {
  for await (const { cells, line } of rowsOf(file)) return readHeader(cells, line);
  throw new UsageError('The file is empty.');
}

/**
 * Converts a CSV file to newline-delimited JSON **on the same line numbers**. The header, empty lines and the further lines of a
 * row become empty lines, which the service numbers but skips. So the service reports the file's own line numbers.
 */
export async function* csvAsNdjson(file: string, columns: readonly Column[]): AsyncGenerator<Uint8Array, void> {
  let text = '';
  let written = 0;
  let isHeader = true;
  for await (const { line, cells } of rowsOf(file)) {
    const item = isHeader ? undefined : itemOfRow(cells, columns);
    isHeader = false;
    if (item === undefined) continue;
    text += `${'\n'.repeat(line - 1 - written)}${JSON.stringify(item)}\n`;
    written = line;
    if (text.length >= chunkBytes) {
      yield Buffer.from(text);
      text = '';
    }
  }
  if (text !== '') yield Buffer.from(text);
}

async function* rowsOf(file: string): AsyncGenerator<Row, void> {
  const source = createReadStream(file, { highWaterMark: chunkBytes });
  const newlines = new NewlineCounter();
  const parser = parse({
    bom: true,
    delimiter: await separatorOf(file),
    info: true,
    record_delimiter: ['\r\n', '\n'],
    skip_empty_lines: true,
    max_record_size: 1_000_000,
  });
  const bytes = Readable.from(newlines.count(checkUtf8(source)), { objectMode: false });
  bytes.on('error', (error) => parser.destroy(error));
  try {
    for await (const found of bytes.pipe(parser)) {
      const { record, info } = asFound(found);
      const inside = record.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0);
      yield { line: newlines.lineEndingAt(info.bytes) - inside, cells: record };
    }
  } catch (error) {
    throw error instanceof CsvError ? new UsageError(describe(error), { cause: error }) : error;
  } finally {
    source.destroy();
    bytes.destroy();
    parser.destroy();
  }
}

/** Used because the parser miscounts rows over several lines that end in CR LF. */
class NewlineCounter {
  /** Positions of newlines given to the parser and not yet passed by a row. */
  readonly #ahead: number[] = [];
  #offset = 0;
  #passed = 0;

  async *count(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of chunks) {
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) this.#ahead.push(this.#offset + at);
      this.#offset += chunk.length;
      yield chunk;
    }
  }

  /** Number of the line that ends with byte `end` (its newline included), or with the file. */
  lineEndingAt(end: number): number {
    let count = 0;
    while ((this.#ahead[count] ?? Infinity) < end) count += 1;
    const isTerminated = this.#ahead[count - 1] === end - 1;
    this.#ahead.splice(0, count);
    this.#passed += count;
    return isTerminated ? this.#passed : this.#passed + 1;
  }
}

/** Older spreadsheets save in another encoding; unchecked, every å would silently become a �. */
async function* checkUtf8(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 1;
  for await (const chunk of chunks) {
    try {
      line += decoder.decode(chunk, { stream: true }).split('\n').length - 1;
    } catch (error) {
      throw new UsageError(`The file is not UTF-8 (after line ${line}): save it as "CSV UTF-8".`, { cause: error });
    }
    yield chunk;
  }
}

/** The separator of the header: semicolon, comma or tab, whichever occurs most often outside quotes. */
async function separatorOf(file: string): Promise<string> {
  let start = '';
  for await (const chunk of createReadStream(file, { encoding: 'utf8', end: chunkBytes })) {
    start += String(chunk);
    if (/\S[^\n]*\n/.test(start)) break;
  }
  // The parser skips empty lines before it, and so a byte order mark.
  const header = start.trimStart().split('\n')[0] ?? '';
  const unquoted = header.replaceAll(/"[^"]*"/g, '');
  const counts = [';', ',', '\t'].map((separator) => ({ separator, count: unquoted.split(separator).length }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).separator;
}

/** Needed because the parser's types do not depend on its options. */
function asFound(found: unknown): { readonly record: readonly string[]; readonly info: { readonly bytes: number } } {
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- what `info: true` makes of a row
  return found as { record: string[]; info: { bytes: number } };
}

function describe(error: CsvError): string {
  const advice =
    error.code === 'CSV_QUOTE_NOT_CLOSED' ? ' A cell with a line break or the separator needs quotes.' : '';
  return `The file is no CSV: ${error.message}.${advice}`;
}
