import { byteOrderMark, csvLine, type CsvCell, type CsvLanguage } from '../rules/csv.ts';
import { cutLine } from '../rules/exported-files.ts';
import type { Scope } from '../rules/scope.ts';
import type { Context } from '../context.ts';

/** The columns of a file, with their headings in each language. */
export type CsvColumns<Row> = Readonly<
  Record<
    string,
    Readonly<Record<CsvLanguage, string>> & { readonly cell: (row: Row, language: CsvLanguage) => CsvCell }
  >
>;

export interface CsvPage<Row> {
  readonly rows: readonly Row[];
  readonly nextCursor: string | null;
}

/** Rows of one file; spreadsheets take about a million. */
export const exportRowsMax = 100_000;
/** Rows per read; memory holds no more of the list. */
export const exportPageRows = 200;

export type PayForRows = (rows: number) => Promise<void>;

interface CsvExport<Row> {
  readonly language: CsvLanguage;
  readonly columns: CsvColumns<Row>;
  /** The page after a cursor; without one the first page. */
  readonly load: (cursor: string | undefined) => Promise<CsvPage<Row>>;
  /** Waits until the caller may read so many more rows. */
  readonly payFor: PayForRows;
  readonly rowsMax?: number;
}

/**
 * A list as a file, page by page and in its order. A file that can't hold all rows says so in its last line. The
 * credential is checked for each page, because a long list may be read slowly.
 */
export async function* csvPages<Row>(
  { confirmCredential }: Pick<Context, 'confirmCredential'>,
  scope: Scope,
  { language, columns, load, payFor, rowsMax = exportRowsMax }: CsvExport<Row>,
): AsyncIterable<string> {
  const all = Object.values(columns);
  yield (
    byteOrderMark +
      csvLine(
        all.map((column) => column[language]),
        language,
      )
  );
  let cursor: string | undefined;
  for (let count = 0; ;) {
    await payFor(exportPageRows);
    await confirmCredential(scope);
    const { rows, nextCursor } = await load(cursor);
    const shown = rows.slice(0, rowsMax - count);
    yield shown
      .map((row) =>
        csvLine(
          all.map(({ cell }) => cell(row, language)),
          language,
        ),
      )
      .join('');
    count += shown.length;
    if (count >= rowsMax && (nextCursor !== null || shown.length < rows.length))
      yield csvLine([cutLine[language]], language);
    if (nextCursor === null || count >= rowsMax) return;
    cursor = nextCursor;
  }
}
