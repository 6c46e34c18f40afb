/** How a program that opens the file writes numbers: Excel takes its separators from the country of its machine. */
export const csvLanguages = ['sv', 'en'] as const;
export type CsvLanguage = (typeof csvLanguages)[number];

/** A number is written without a unit; null leaves the cell empty. */
export type CsvCell = string | number | null;

/** What a program would take for a formula, and run when the file is opened. */
const formula = /^\s*[=+\-@\t\r]/;
const quoted = /[";,\r\n]|^\s|\s$/;

/** Excel reads UTF-8 only behind this mark. */
export const byteOrderMark = '﻿';

/** One line (RFC 4180): `;` and a decimal comma in Swedish, `,` and a point in English. A text that looks like a formula gets an apostrophe. */
export const csvLine = (cells: readonly CsvCell[], language: CsvLanguage): string =>
  `${cells.map((cell) => cellText(cell, language)).join(language === 'sv' ? ';' : ',')}\r\n`;

function cellText(cell: CsvCell, language: CsvLanguage): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return language === 'sv' ? String(cell).replace('.', ',') : String(cell);
  const text = formula.test(cell) ? `'${cell}` : cell;
  return quoted.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
