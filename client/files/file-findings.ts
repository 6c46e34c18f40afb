/** What there is to say of a file of items: each kind with what it is about. Sentences are made of it where they are shown. */
export interface FileFindings {
  /** Nothing but blanks. */
  readonly empty: object;
  /** `what`: the kind of file that it is instead of text. */
  readonly notText: { readonly what: ForeignFile };
  readonly unknownEncoding: { readonly encoding: string };
  /** No Windows-1252 either, as far as its letters tell: an encoding of DOS, perhaps. */
  readonly oddLetters: { readonly line: number };
  readonly mixedEncodings: { readonly utf8Line: number; readonly otherLine: number };
  readonly badBytes: { readonly encoding: string; readonly line: number };
  /** `suggested`: what the names of the columns look like, as field → column. */
  readonly columnsMissing: {
    readonly line: number;
    readonly missing: readonly string[];
    readonly header: readonly string[];
    readonly suggested: ColumnMap;
  };
  readonly fieldTwice: { readonly line: number; readonly field: string };
  readonly imagesTwice: { readonly line: number; readonly fields: readonly string[] };
  /** The mapping names what is no field. */
  readonly noSuchField: { readonly field: string; readonly near: string | undefined };
  /** The mapping names what is no column of the file. */
  readonly noSuchColumn: { readonly column: string; readonly field: string; readonly header: readonly string[] };
  readonly tooManyCells: { readonly line: number; readonly cells: number; readonly columns: number };
  readonly tooFewCells: { readonly line: number; readonly cells: number; readonly columns: number };
  /** `line`: where the quote opens that is never closed. */
  readonly openQuote: { readonly line: number };
  /** Behind a closing quote stands `text` instead of a separator; `opened`: the line of the quote that it closes. */
  readonly textAfterQuote: { readonly line: number; readonly opened: number; readonly text: string };
  readonly longCell: { readonly line: number };
  /** A list in JSON whose value `item` has no end. */
  readonly openItem: { readonly item: number; readonly line: number };
  /** Behind the list in JSON, or between its values, stands something else. */
  readonly noList: { readonly line: number };
  /** One JSON value over several lines. */
  readonly oneValue: object;
}

/** What was found, and is no reason to refuse the file. */
export interface FileRemarks {
  /** The bytes are no UTF-8: they are read in this encoding. */
  readonly readAs: { readonly encoding: string };
  readonly columnLeftOut: { readonly column: string; readonly near: string | undefined };
  readonly noImages: object;
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
