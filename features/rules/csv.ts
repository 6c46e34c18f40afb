/** The form of numbers and separators: Excel expects that of the country set on its machine. */
export const csvLanguages = ['sv', 'en'] as const;
export type CsvLanguage = (typeof csvLanguages)[number];

/**
 * Numbers have no unit; null leaves the cell empty. A string is a text that a spreadsheet must not change; `asRead` is
 * one that it may read in its own way, such as a date.
 */
export type CsvCell = string | number | { readonly asRead: string } | null;

/** Excel recognises UTF-8 only by this mark. */
export const byteOrderMark = '﻿';

const quoted = /[";,\t\r\n]|^\s|\s$/;

/** One line (RFC 4180): `;` and a decimal comma in Swedish, `,` and a point in English. Texts are guarded ({@link guardText}). */
export const csvLine = (cells: readonly CsvCell[], language: CsvLanguage): string =>
  `${cells.map((cell) => cellText(cell, language)).join(language === 'sv' ? ';' : ',')}\r\n`;

function cellText(cell: CsvCell, language: CsvLanguage): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return language === 'sv' ? String(cell).replace('.', ',') : String(cell);
  const text = typeof cell === 'string' ? guardText(cell) : cell.asRead;
  return quoted.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * What may stand before a sign that begins a formula: characters that can't be seen, apostrophes, and quotes, which a
 * program that separates cells by another sign takes for the ends of an empty cell.
 */
const before = String.raw`[\s'"\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]`;
/** Signs that begin a formula, also as full-width, small, raised and lowered ones. */
const sign = String.raw`[=+\-@＝＋－＠﹦﹢﹣﹫⁺⁻⁼₊₋₌−]`;

const beginsFormula = new RegExp(`^${before}*${sign}`, 'u');
/** Each run before a sign, with the character before the run. */
const runs = new RegExp(`(?<!${before})(${before}*)(?=${sign})`, 'gu');
/** Where a program with other separators, or without quotes, begins a new cell. */
const separators = /[;,|]/;
const lineSeparators = /[\t\r\n]/g;

/**
 * The text as a cell that a spreadsheet shows and saves as it is: with an apostrophe in front where it would calculate,
 * or make a number, a date or another text of it, and one wherever a program that separates cells by another sign would
 * begin a formula. {@link unguardText} takes them off again, and nothing else.
 */
export function guardText(text: string): string {
  const inner = text.replace(runs, (run: string, _run: string, at: number) => {
    const lines = run.replace(lineSeparators, "$&'");
    return separators.test(text.charAt(at - 1)) ? `'${lines}` : lines;
  });
  return isMisread(text) ? `'${inner}` : inner;
}

/** The text of a cell of any file. A cell that no apostrophe guards stays as it is. */
export function unguardText(cell: string): string {
  const rest = cell.startsWith("'") ? withoutInner(cell.slice(1)) : undefined;
  return rest !== undefined && isMisread(rest) ? rest : withoutInner(cell);
}

function withoutInner(text: string): string {
  return text.replace(runs, (run: string, _run: string, at: number) => {
    const lines = run.replace(/([\t\r\n])'/g, '$1');
    return separators.test(text.charAt(at - 1)) ? lines.replace(/^'/, '') : lines;
  });
}

/** Whether a spreadsheet, or a reader of its files, would make something else of the text. */
const isMisread = (text: string): boolean =>
  text.startsWith("'") || text !== text.trim() || beginsFormula.test(text) || isValue(text);

/** A whole number that every spreadsheet shows with all its digits. */
const plainNumber = /^(?:0|[1-9]\d{0,10})$/;

const months =
  'jan(?:uar[iy])?|feb(?:ruar[iy])?|mar(?:ch|s)?|apr(?:il)?|ma[jy]|jun[ei]?|jul[iy]?|aug(?:ust[i]?)?|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|dec(?:ember)?';
const currency = String.raw`(?:kr|sek|eur|usd|[€$£¥])\.?`;
/** What may stand in, before and behind a number, a per cent, a fraction, a date or a time in digits. */
const marks = String.raw`\s.,:;/()%+\-−–'’`;
const weekdays = 'mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun|mån|tis|ons|tors?|fre|lör|sön';
const aroundMonth = String.raw`(?:[\d${marks}]|(?:${weekdays})(?:day|dag)?|[ap]m?)`;
const values = [
  new RegExp(
    String.raw`^[${marks}]*(?:${currency}[${marks}]*)?\d[\d${marks}]*(?:[DE][${marks}]*\d[\d${marks}]*)?(?:${currency}[${marks}]*)?$`,
    'iu',
  ),
  new RegExp(String.raw`^\d[\d${marks}]*[ap]m?$`, 'iu'),
  new RegExp(String.raw`^(?=\D*\d)${aroundMonth}*(?:${months})${aroundMonth}*$`, 'iu'),
  /^(?:true|false|sant|falskt)$/iu,
];

/** Whether a spreadsheet reads the text as a number, a date, a time or a truth value, and would write it in another way. */
const isValue = (text: string): boolean => !plainNumber.test(text) && values.some((value) => value.test(text));
