import { guardText } from '../../features/rules/csv.ts';
import type { BulkSyncError } from '../generated/types.gen.ts';
import { isComment, type Column } from './columns.ts';
import { englishReport, explainReports, type ExplainedReport } from './explain-reports.ts';
import type { CsvFile, ItemFile } from './item-file.ts';

type Reports = AsyncIterable<BulkSyncError> | Iterable<BulkSyncError>;

/**
 * A file of the reported lines in the format of the original, each with its problem, to be corrected and sent again.
 * Our own fields begin with `#` and are ignored then. Yields nothing without a report.
 */
export async function* errorFile(
  file: ItemFile,
  columns: readonly Column[],
  reports: Reports,
): AsyncGenerator<string, void> {
  let isFirst = true;
  for await (const explained of explainReports(file, columns, reports)) {
    if (file.format !== 'csv') yield `${jsonLine(explained)}\n`;
    else {
      if (isFirst) yield `\uFEFF${csvHeader(file)}`;
      yield csvLine(file, explained);
    }
    isFirst = false;
  }
}

const ourColumns = ['#line', '#severity', '#error'];

const csvHeader = ({ dialect, header }: CsvFile): string =>
  csvText([...ourColumns, ...ownCells(header.names, header.names)], dialect.separator);

function csvLine({ dialect, header }: CsvFile, explained: ExplainedReport): string {
  const { report, record } = explained;
  const cells = record !== undefined && 'cells' in record ? record.cells : [];
  const own = header.names.map((_name, index) => cells[index] ?? '');
  const ours = [String(report.line), report.severity, guardText(englishReport(explained))];
  return csvText([...ours, ...ownCells(own, header.names)], dialect.separator);
}

/** The cells without those that an earlier file of errors had added. */
const ownCells = (cells: readonly string[], names: readonly string[]): readonly string[] =>
  cells.filter((_cell, index) => !isComment(names[index] ?? ''));

const csvText = (cells: readonly string[], separator: string): string =>
  `${cells.map((cell) => quoted(cell, separator)).join(separator)}\r\n`;

const quoted = (cell: string, separator: string): string =>
  cell.includes(separator) || /["\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

/** The item with the report as its first field. A line that is no object is put into the report. */
function jsonLine({ report, record }: ExplainedReport): string {
  const text = record !== undefined && 'text' in record ? record.text.trim() : '';
  const inner = /^\{([\s\S]*)\}$/.exec(text)?.[1];
  if (inner === undefined || !isJson(text)) return JSON.stringify({ '#report': { ...report, input: text } });
  return `{"#report":${JSON.stringify(report)}${inner.trim() === '' ? '' : ','}${inner}}`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
