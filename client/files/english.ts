import { cellLengthMax } from './csv-rows.ts';
import type { FileFinding, FileFindings, FileRemark, FileRemarks, ForeignFile, NotedRows } from './file-findings.ts';

/** One language: a sentence for each kind of finding or remark. */
export type FileTexts<Kinds> = { readonly [Kind in keyof Kinds]: (about: Kinds[Kind]) => string };

/** The sentence of a finding in the language of `texts`. */
export const tellFinding = (texts: FileTexts<FileFindings>, finding: FileFinding): string => tell(texts, finding);

/** The sentence of a remark in the language of `texts`. */
export const tellRemark = (texts: FileTexts<FileRemarks>, remark: FileRemark): string => tell(texts, remark);

function tell<Kinds, Kind extends keyof Kinds>(
  texts: FileTexts<Kinds>,
  about: Kinds[Kind] & { readonly kind: Kind },
): string {
  return texts[about.kind](about);
}

const saveAs = 'save it as "CSV UTF-8" and send that file';

const foreignFiles: Readonly<Record<ForeignFile, string>> = {
  xlsx: `This is an Excel workbook (.xlsx): open it in Excel, ${saveAs}.`,
  xls: `This is an old Excel workbook (.xls) or another Office document: open it in Excel, ${saveAs}.`,
  ods: 'This is an OpenDocument spreadsheet (.ods): open it, save it as "Text CSV" and send that file.',
  zip: 'This is a ZIP archive: unpack it and send the file inside.',
  gzip: 'This is compressed with gzip: decompress it and send the file inside (zcat FILE | … sync -).',
  pdf: 'This is a PDF: export the items as CSV and send that file.',
  xml: 'This is XML: export the items as CSV or JSON and send that file.',
  binary: 'This is not a text file: send CSV with a header, one JSON object per line, or a JSON array.',
};

const list = (words: readonly string[]): string => words.join(' | ');

const cells = ({ count, line }: NotedRows): string =>
  count === 1 ? `A cell on line ${line}` : `${count} cells (the first on line ${line})`;

const rows = ({ count, line }: NotedRows): string =>
  count === 1 ? `The row on line ${line}` : `${count} rows (the first on line ${line})`;

/** In the form that `--map` of the command line tool accepts. */
const mapOf = (map: Readonly<Record<string, string>>): string =>
  Object.entries(map)
    .map(([field, column]) => `${field}=${column}`)
    .join(',');

/** Findings in English, for the command line. */
export const englishFindings: FileTexts<FileFindings> = {
  empty: () => 'The file is empty.',
  notText: ({ what }) => foreignFiles[what],
  unknownEncoding: ({ encoding }) =>
    `The encoding "${encoding}" is not supported. Supported ones include utf-8, windows-1252, utf-16le and macintosh.`,
  oddLetters: ({ line }) =>
    `The file is neither UTF-8 nor, judging by its letters, Windows-1252 (line ${line}); it may come from an old DOS program. Save it as UTF-8, or set its encoding.`,
  mixedEncodings: ({ utf8Line, otherLine }) =>
    `The file mixes encodings: line ${utf8Line} is UTF-8, line ${otherLine} is not. Save it again, or set its encoding.`,
  badBytes: ({ encoding, line }) => `The file is not ${encoding} (line ${line}).`,
  columnsMissing: ({ line, missing, header, suggested }) => {
    const has = `The header (line ${line}) has no column ${missing.join(', ')}. It has: ${list(header)}`;
    return Object.keys(suggested).length === 0 ? has : `${has}\nDid you mean this? --map '${mapOf(suggested)}'`;
  },
  fieldTwice: ({ line, field }) => `The header (line ${line}) has the column ${field} twice.`,
  imagesTwice: ({ line, fields }) =>
    `The header (line ${line}) names images in several ways (${fields.join(' and ')}): use only one of them.`,
  noSuchField: ({ field, near }) =>
    `"${field}" is not a field of an item.${near === undefined ? '' : ` Did you mean ${near}?`}`,
  noSuchColumn: ({ column, field, header }) =>
    `The file has no column "${column}", which is mapped to ${field}. It has: ${list(header)}`,
  tooManyCells: ({ line, cells, columns }) =>
    `The row on line ${line} has ${cells} cells, but the header has ${columns}: a cell that contains the separator needs quotes.`,
  tooFewCells: ({ line, cells, columns }) =>
    `The row on line ${line} has ${cells === 1 ? '1 cell' : `${cells} cells`}, but the header has ${columns}: a cell that contains a line break needs quotes.`,
  openQuote: ({ line }) =>
    `The quote that opens on line ${line} is never closed. A quote inside quotes must be written twice.`,
  textAfterQuote: ({ line, opened, text }) =>
    `After the quote on line ${line}, which closes the one on line ${opened}, comes "${text}" instead of a separator. A quote inside quotes must be written twice; perhaps the one on line ${opened} was never closed.`,
  longCell: ({ line, isQuoted }) =>
    `A cell that begins on line ${line} has more than ${cellLengthMax.toLocaleString('en')} characters, which is the most that is read.${isQuoted ? ' Perhaps its quote is never closed: a quote inside quotes must be written twice.' : ''}`,
  titleRow: ({ line, header }) =>
    `Line ${line} looks like a title; the header is on line ${header}: --header-line ${header} reads it from there.`,
  noHeaderLine: ({ line }) => `There is no row that begins on line ${line}, where the header should be.`,
  totalsRow: ({ line }) => `The last row, on line ${line}, looks like a row of totals: --skip-last 1 leaves it out.`,
  otherExport: ({ of }) =>
    `This is a file of ${of === 'orders' ? 'orders' : 'webhook deliveries'} that was exported here. It can't be imported: only files of items can.`,
  openItem: ({ item, line }) => `Value ${item} of the list, which begins on line ${line}, never ends.`,
  longItem: ({ item, line }) =>
    `Value ${item} of the list, which begins on line ${line}, has more than 2,000,000 characters, which is the most that is read. Perhaps it never ends.`,
  noList: ({ line }) => `A JSON file must be a single list, [ … ]; line ${line} has something outside it.`,
  oneValue: () => 'This is one JSON object over several lines: send one object per line, or a list of them, [ … ].',
};

/** Remarks in English, for the command line. */
export const englishRemarks: FileTexts<FileRemarks> = {
  readAs: ({ encoding }) => `The file is not UTF-8; it is read as ${encoding}.`,
  columnLeftOut: ({ column, near }) =>
    `Column "${column}" is not a field of an item and is left out.${near === undefined ? '' : ` Did you mean ${near}?`}`,
  noImages: () => 'There is no column imageUrls: new items will have no images.',
  toldColumns: ({ columns }) => `What the service knows by itself is not read: ${list(columns)}.`,
  guardedCells: (about) =>
    `${cells(about)}: the apostrophe that keeps a spreadsheet from changing the text is not part of it.`,
  severalAddresses: (about) =>
    `${cells(about)}: several addresses of images, separated by blanks, commas or semicolons; each is taken by itself.`,
  archivedRows: (about) => `${rows(about)} with archived items: left out, because they would make new items.`,
  cutFile: ({ line }) => `The exported file did not hold all rows (line ${line}): what is missing is not changed.`,
  totalsRow: ({ line }) => `The last row, on line ${line}, looks like a row of totals: --skip-last 1 leaves it out.`,
};
