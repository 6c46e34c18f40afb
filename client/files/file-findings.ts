/** What can be wrong with a file of items: each kind with its parameters. Sentences are made where they are shown. */
export interface FileFindings {
  /** The file has nothing but blanks. */
  readonly empty: object;
  /** `what`: the kind of file that it is instead of a text. */
  readonly notText: { readonly what: ForeignFile };
  readonly unknownEncoding: { readonly encoding: string };
  /** Its letters do not look like Windows-1252 either; perhaps the encoding is one of DOS. */
  readonly oddLetters: { readonly line: number };
  readonly mixedEncodings: { readonly utf8Line: number; readonly otherLine: number };
  readonly badBytes: { readonly encoding: string; readonly line: number };
  /** `suggested`: a mapping guessed from the names of the columns, as field → column. */
  readonly columnsMissing: {
    readonly line: number;
    readonly missing: readonly string[];
    readonly header: readonly string[];
    readonly suggested: ColumnMap;
  };
  readonly fieldTwice: { readonly line: number; readonly field: string };
  readonly imagesTwice: { readonly line: number; readonly fields: readonly string[] };
  /** The mapping names a field that does not exist. */
  readonly noSuchField: { readonly field: string; readonly near: string | undefined };
  /** The mapping names a column that the file does not have. */
  readonly noSuchColumn: { readonly column: string; readonly field: string; readonly header: readonly string[] };
  readonly tooManyCells: { readonly line: number; readonly cells: number; readonly columns: number };
  readonly tooFewCells: { readonly line: number; readonly cells: number; readonly columns: number };
  /** `line`: where the quote opens that is never closed. */
  readonly openQuote: { readonly line: number };
  /** After a closing quote comes `text` instead of a separator; `opened`: the line of the opening quote. */
  readonly textAfterQuote: { readonly line: number; readonly opened: number; readonly text: string };
  /** More than a million characters; `isQuoted`: behind a quote, which is perhaps never closed. */
  readonly longCell: { readonly line: number; readonly isQuoted: boolean };
  /** The header is not on the first line: that one looks like a title. `header`: the line that looks like it. */
  readonly titleRow: { readonly line: number; readonly header: number };
  /** There is no row on the line that was named as the header's. */
  readonly noHeaderLine: { readonly line: number };
  /** A row with few cells that begins like a sum of the rows above it. */
  readonly totalsRow: { readonly line: number };
  /** A file of ours that holds no items. */
  readonly otherExport: { readonly of: 'orders' | 'deliveries' };
  /** A JSON list whose value number `item` has no end. */
  readonly openItem: { readonly item: number; readonly line: number };
  /** A value of a JSON list with more than two million characters; perhaps it has no end. */
  readonly longItem: { readonly item: number; readonly line: number };
  /** Something else follows the JSON list, or stands between its values. */
  readonly noList: { readonly line: number };
  /** A single JSON value over several lines. */
  readonly oneValue: object;
}

/** Remarks on a file that is accepted. */
export interface FileRemarks {
  /** The bytes are not UTF-8; they are read in this encoding. */
  readonly readAs: { readonly encoding: string };
  readonly columnLeftOut: { readonly column: string; readonly near: string | undefined };
  readonly noImages: object;
  /** Columns of our own file that say what the service knows: they are not read. */
  readonly toldColumns: { readonly columns: readonly string[] };
  /** Cells whose apostrophe, which guards them from spreadsheets, is not part of their text. `line`: the first. */
  readonly guardedCells: NotedRows;
  /** Cells with several addresses that something else than `|` separates. */
  readonly severalAddresses: NotedRows;
  /** Rows of our own file with archived items, which are left out: they would make new items. */
  readonly archivedRows: NotedRows;
  /** The last line of our own file says that it does not hold all rows. */
  readonly cutFile: NotedRows;
  /** A last row that begins like a sum of the rows above it. */
  readonly totalsRow: NotedRows;
}

export interface NotedRows {
  readonly line: number;
  readonly count: number;
}

export type ForeignFile = 'xlsx' | 'xls' | 'ods' | 'zip' | 'gzip' | 'pdf' | 'xml' | 'binary';

/** Field of an item → name of the column that holds it. */
export type ColumnMap = Readonly<Record<string, string>>;

export type FileFinding = {
  [Kind in keyof FileFindings]: { readonly kind: Kind } & FileFindings[Kind];
}[keyof FileFindings];
export type FileRemark = {
  [Kind in keyof FileRemarks]: { readonly kind: Kind } & FileRemarks[Kind];
}[keyof FileRemarks];

/** The file can't be read as items; `finding` says why. */
export class FileProblem extends Error {
  override readonly name = 'FileProblem';
  readonly finding: FileFinding;

  constructor(finding: FileFinding) {
    super(finding.kind);
    this.finding = finding;
  }
}
