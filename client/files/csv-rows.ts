import { FileProblem } from './file-findings.ts';

/** The separators of a CSV file. */
export interface CsvDialect {
  readonly separator: string;
  /** The line end; a CR before an LF is not part of a cell. */
  readonly newline: '\n' | '\r';
}

export interface CsvRow {
  /** First line of the row in the file, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * The rows of a CSV file (RFC 4180), with constant memory; empty lines are no rows. A quote opens a quoted cell only at
 * its beginning, after blanks; any other quote is text, as in `Fälg 15"`. Throws {@link FileProblem}: openQuote,
 * textAfterQuote and longCell.
 */
export async function* csvRows(chunks: AsyncIterable<string>, dialect: CsvDialect): AsyncGenerator<CsvRow, void> {
  const reader = new RowReader(dialect);
  for await (const chunk of chunks) yield* reader.read(chunk);
  yield* reader.end();
}

/** The rows at the beginning of a text, up to where it is no such file; without the last one, which may be cut off. */
export function firstRows(text: string, dialect: CsvDialect): readonly CsvRow[] {
  const reader = new RowReader(dialect);
  try {
    return reader.read(text);
  } catch (error) {
    if (error instanceof FileProblem) return reader.rows;
    throw error;
  }
}

/** A quote that is never closed must not fill the memory. */
export const cellLengthMax = 1_000_000;

/**
 * Where the reader is in a cell. `blank`: only blanks so far; `plain`: text; `quoted`: after an opening quote;
 * `closed`: after a quote in a quoted cell, where a second quote would mean the character itself; `after`: after that
 * and a blank.
 */
type Place = 'blank' | 'plain' | 'quoted' | 'closed' | 'after';

class RowReader {
  readonly #dialect: CsvDialect;
  #place: Place = 'blank';
  #line = 1;
  #rowLine = 1;
  #quoteLine = 1;
  #rows: CsvRow[] = [];
  #cells: string[] = [];
  #cell = '';

  constructor(dialect: CsvDialect) {
    this.#dialect = dialect;
  }

  /** The rows that the last piece of text has completed. */
  get rows(): readonly CsvRow[] {
    return this.#rows;
  }

  /** The rows that this piece of text completes. */
  read(chunk: string): readonly CsvRow[] {
    this.#rows = [];
    for (let at = 0; at < chunk.length;)
      at = this.#place === 'quoted' ? this.#takeQuoted(chunk, at) : this.#take(chunk, at);
    if (this.#cell.length > cellLengthMax) throw this.#tooLong();
    return this.#rows;
  }

  end(): readonly CsvRow[] {
    if (this.#place === 'quoted') throw new FileProblem({ kind: 'openQuote', line: this.#quoteLine });
    this.#rows = [];
    this.#endRow();
    return this.#rows;
  }

  /** Reads the text at `at`, outside of quotes, and returns the next position. */
  #take(chunk: string, at: number): number {
    const { separator, newline } = this.#dialect;
    const character = chunk.charAt(at);
    if (character === newline) this.#line += 1;
    if (character === separator) this.#endCell();
    else if (character === newline) this.#endRow();
    else if (this.#place === 'closed' || this.#place === 'after') this.#takeBehindQuote(character);
    else if (this.#place === 'blank' && character === '"') this.#openQuote();
    else if (this.#place === 'blank' && isBlank(character)) this.#cell += character;
    else return this.#takePlain(chunk, at);
    return at + 1;
  }

  #takePlain(chunk: string, at: number): number {
    const { separator, newline } = this.#dialect;
    let end = at + 1;
    while (end < chunk.length && chunk[end] !== separator && chunk[end] !== newline) end += 1;
    this.#place = 'plain';
    this.#cell += chunk.slice(at, end);
    return end;
  }

  #takeQuoted(chunk: string, at: number): number {
    const quote = chunk.indexOf('"', at);
    const end = quote === -1 ? chunk.length : quote;
    const text = chunk.slice(at, end);
    for (
      let from = text.indexOf(this.#dialect.newline);
      from !== -1;
      from = text.indexOf(this.#dialect.newline, from + 1)
    )
      this.#line += 1;
    this.#cell += text;
    if (quote !== -1) this.#place = 'closed';
    return end + 1;
  }

  #openQuote(): void {
    this.#place = 'quoted';
    this.#quoteLine = this.#line;
    this.#cell = '';
  }

  #takeBehindQuote(character: string): void {
    if (isBlank(character)) {
      this.#place = 'after';
    } else if (character === '"' && this.#place === 'closed') {
      this.#cell += '"';
      this.#place = 'quoted';
    } else {
      throw new FileProblem({ kind: 'textAfterQuote', line: this.#line, opened: this.#quoteLine, text: character });
    }
  }

  #endCell(): void {
    if (this.#cell.length > cellLengthMax) throw this.#tooLong();
    this.#cells.push(this.#cell);
    this.#cell = '';
    this.#place = 'blank';
  }

  #endRow(): void {
    if (this.#place === 'plain' || this.#place === 'blank') this.#cell = this.#cell.replace(/\r$/, '');
    this.#endCell();
    const cells = this.#cells;
    if (cells.length > 1 || cells[0] !== '') this.#rows.push({ line: this.#rowLine, cells });
    this.#cells = [];
    this.#rowLine = this.#line;
  }

  #tooLong(): FileProblem {
    const isPlain = this.#place === 'plain' || this.#place === 'blank';
    const line = isPlain ? this.#rowLine : this.#quoteLine;
    return new FileProblem({ kind: 'longCell', line, isQuoted: this.#place === 'quoted' });
  }
}

const isBlank = (character: string): boolean => character === ' ' || character === '\t' || character === '\r';
