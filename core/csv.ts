/** The form of numbers and separators: Excel expects that of the country set on its machine. */
export const csvLanguages = ['sv', 'en'] as const;
export type CsvLanguage = (typeof csvLanguages)[number];

/** Numbers have no unit; null leaves the cell empty. */
export type CsvCell = string | number | null;

/** Texts that a spreadsheet would execute as a formula. */
const formula = /^\s*[=+\-@\t\r]/;
const quoted = /[";,\r\n]|^\s|\s$/;

/** Excel recognises UTF-8 only by this mark. */
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
