import type { BulkSyncError, FieldProblem } from '../generated/types.gen.ts';
import { showUnseen } from '../../features/rules/unseen-text.ts';
import { isConvertible, textOfCell } from './cell-values.ts';
import type { Column } from './columns.ts';
import type { CellType } from './item-fields.ts';
import { itemRows, jsonLines, type ItemFile } from './item-file.ts';

/** The content of a line: the cells of its row, or its text. */
export type FileRecord =
  | { readonly line: number; readonly cells: readonly string[] }
  | { readonly line: number; readonly text: string };

/** A problem or warning of a line, with the names that the file uses. */
export interface ExplainedProblem extends FieldProblem {
  /** The column that holds the field, when the file has columns. */
  readonly column: string | undefined;
  /** The text in the file, with the codes of what can't be seen. */
  readonly value: string | undefined;
  /** Not `asTold`: the cell has none of the accepted forms. Otherwise the service's message applies. */
  readonly kind: 'asTold' | 'notNumber' | 'notBoolean' | 'notShipping' | 'formula';
}

export interface ExplainedReport {
  readonly report: BulkSyncError;
  /** undefined when the file no longer has this line. */
  readonly record: FileRecord | undefined;
  readonly problems: readonly ExplainedProblem[];
}

type Reports = AsyncIterable<BulkSyncError> | Iterable<BulkSyncError>;

/**
 * Adds to each report the content of its line. Errors and then warnings come in the order of lines, so the file is read
 * once for each and never held in memory.
 */
export async function* explainReports(
  file: ItemFile,
  columns: readonly Column[],
  reports: Reports,
): AsyncGenerator<ExplainedReport, void> {
  let records = recordsOf(file);
  let last = 0;
  try {
    for await (const report of reports) {
      if (report.line < last) {
        await records.return();
        records = recordsOf(file);
      }
      last = report.line;
      const record = await recordAt(records, report.line);
      const cells = record !== undefined && 'cells' in record ? record.cells : [];
      const problems = (report.details ?? []).map((problem) => explain(problem, columns, cells));
      yield { report, record, problems };
    }
  } finally {
    await records.return();
  }
}

async function* recordsOf(file: ItemFile): AsyncGenerator<FileRecord, void> {
  if (file.format === 'csv') yield* itemRows(file);
  else yield* jsonLines(file);
}

/** The records are sorted by line, so a missing one is skipped. */
async function recordAt(records: AsyncGenerator<FileRecord, void>, line: number): Promise<FileRecord | undefined> {
  for (;;) {
    const next = await records.next();
    if (next.done === true) return undefined;
    if (next.value.line >= line) return next.value.line === line ? next.value : undefined;
  }
}

function explain(problem: FieldProblem, columns: readonly Column[], cells: readonly string[]): ExplainedProblem {
  const column = columns.find((one) => isOf(one, problem.field));
  if (column === undefined || !('index' in column.source))
    return { ...problem, column: undefined, value: undefined, kind: 'asTold' };
  const { index, name } = column.source;
  const { text } = textOfCell(cells[index] ?? '');
  const value = text === '' ? undefined : text;
  const shown = value === undefined ? undefined : showUnseen(value);
  return { ...problem, column: name, value: shown, kind: kindOf(value, column.field.type) };
}

function kindOf(value: string | undefined, type: CellType): ExplainedProblem['kind'] {
  if (value === undefined || isConvertible(value, type)) return 'asTold';
  if (value.startsWith('=')) return 'formula';
  return type === 'boolean' ? 'notBoolean' : type === 'shipping' ? 'notShipping' : 'notNumber';
}

/**
 * `imageUrls.1` belongs to the column that holds several addresses, or to its own, and `listing.shippingOptions.0.cost` to
 * that of all options. Problems always name `imageUrls`, whatever the list is called.
 */
function isOf({ field: { path } }: Column, field: string): boolean {
  const own = path[0]?.startsWith('image') === true ? ['imageUrls', ...path.slice(1)] : path;
  const name = own.join('.');
  return name === field || (lists.has(name) && field.startsWith(`${name}.`));
}

const lists: ReadonlySet<string> = new Set(['imageUrls', 'listing.shippingOptions']);

const shownMax = 60;

/** A sentence such as `Pris "1.500" is no clear number: …`. */
export function englishProblem({ field, column, value, kind, message }: ExplainedProblem): string {
  const name = column === undefined || column === field ? field : `${column} (${field})`;
  const isShown = value !== undefined && (kind !== 'asTold' || !message.includes(`"${value}"`));
  const shown = isShown ? `${name} "${cut(value)}"` : name;
  switch (kind) {
    case 'notNumber':
      return `${shown} is no clear number: 1499.50, 1 499,50 and 1.499,50 are; so are 1500 and 1 500, but neither 1.500 nor 1,500`;
    case 'notBoolean':
      return `${shown} is neither yes nor no: write ja, yes, true or 1; nej, no, false or 0`;
    case 'notShipping':
      return `${shown} is no list of shipping options: write 1:79|3:0, which is option 1 for 79 SEK and option 3 for nothing`;
    case 'formula':
      return `${shown} is a formula: save the file with the values that it gives`;
    case 'asTold':
      return `${shown} ${message}`;
  }
}

/** The whole report in one line. */
export const englishReport = ({ report, problems }: Pick<ExplainedReport, 'report' | 'problems'>): string =>
  problems.length === 0 ? report.error : problems.map(englishProblem).join('; ');

const cut = (text: string): string => (text.length > shownMax ? `${text.slice(0, shownMax)}…` : text);
