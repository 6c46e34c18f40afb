import { normaliseIsbn, normaliseLanguage } from '../features/items/rules/book-codes.ts';
import { logoBytesMax, logoTypeOf, type LogoType } from '../features/resellers/rules/logo.ts';
import { told, type Told, type UrlFault } from '../features/rules/field-problems.ts';
import { unseenIn } from '../features/rules/unseen-text.ts';
import { normalisePlate } from '../features/vehicles/rules/vehicle.ts';

export interface TextFormat {
  readonly type: 'string';
  readonly validate: (value: string) => boolean;
  /** What is wrong with a value that is not valid. */
  readonly told: (value: string) => Told;
}

/**
 * Our own formats for schemas, each with a code. Most of these rules can't be written as JSON Schema, or tools would
 * read them differently.
 */
export const formats = {
  'plain-text': {
    type: 'string',
    validate: isPlainText,
    told: () => told('not_text'),
  },
  title: {
    type: 'string',
    // A blank title has its own code. A schema has only one format, so this one also refuses NUL and unpaired surrogates.
    validate: (value) => value.trim() === '' || (isPlainText(value) && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value)),
    told: () => told('not_one_line'),
  },
  'https-url': {
    type: 'string',
    validate: (value) => whyNoHttpsUrl(value) === undefined,
    told: (value) => told('not_https_url', { reason: whyNoHttpsUrl(value) ?? 'wrong_host' }),
  },
  isbn: {
    type: 'string',
    validate: (value) => isShort(value) && normaliseIsbn(value) !== undefined,
    told: (value) => told('not_isbn', whatIsUnseen(value)),
  },
  'language-tag': {
    type: 'string',
    validate: (value) => isShort(value) && normaliseLanguage(value) !== undefined,
    told: (value) => told('not_language', whatIsUnseen(value)),
  },
  logo: {
    type: 'string',
    validate: (value) => logoTypeIn(value) !== undefined,
    told: () => told('not_logo', { maxKb: logoBytesMax / 1_000 }),
  },
  'registration-plate': {
    type: 'string',
    validate: (value) => isShort(value) && normalisePlate(value) !== undefined,
    told: (value) => told('not_plate', whatIsUnseen(value)),
  },
} as const satisfies Readonly<Record<string, TextFormat>>;

export type FormatName = keyof typeof formats;

/** Formats whose values are stored in a canonical form; all other values are stored as sent. */
export const normaliserOfFormat: ReadonlyMap<string, (value: string) => string | undefined> = new Map([
  ['isbn', normaliseIsbn],
  ['language-tag', normaliseLanguage],
  ['registration-plate', normalisePlate],
]);

/** The kind of picture that a text in Base64 holds; undefined when it holds none that can be a logo. */
export function logoTypeIn(base64: string): LogoType | undefined {
  const isBase64 = base64.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(base64);
  return isBase64 ? logoTypeOf(Buffer.from(base64, 'base64')) : undefined;
}

/** A longer value exceeds its field's limit, which the schema reports, so parsing it would only cost time. */
const isShort = (value: string): boolean => value.length <= 1_000;

/** Excludes NUL, which database keys can't hold, and unpaired surrogates, which UTF-8 can't: they would be lost or changed. */
function isPlainText(value: string): boolean {
  return !value.includes('\0') && !/\p{Surrogate}/u.test(value);
}

function whatIsUnseen(value: string): { unseen?: string } {
  const unseen = unseenIn(value.slice(0, 1_000));
  return unseen === undefined ? {} : { unseen };
}

/** What stands between addresses that a spreadsheet has in one cell, also percent-encoded. */
const between = String.raw`[\s,;|，；、"'<>[\]{}\\]|\\[nrt]|%(?:0[9AD]|20|22|2C|3B|3[CE]|5[BD]|7[BCD]|C2%A0)`;
/** A letter or digit too, but not that of an encoded sign: `/fetch/https://` and `?u=%2Fhttps://` are one address. */
const nextAddress = new RegExp(
  String.raw`(?:${between}|(?<!%[\dA-F]?)[\p{L}\p{N}])(?:https?|ftp):\/\/|(?:${between})https?%3A%2F%2F`,
  'iu',
);

const blankFault = (value: string): UrlFault => (/[,;|]\s|\s[,;|]/.test(value) ? 'separator' : 'space');

/**
 * undefined for an HTTPS URL. URL parsers read `https:///x` as the host x. Credentials in a URL would end up in logs, and fetch
 * refuses them anyway.
 */
function whyNoHttpsUrl(value: string): UrlFault | undefined {
  if (value === '') return 'empty';
  if (nextAddress.test(value.trim())) return 'several';
  if (/[\t\n\r]/.test(value) || !isPlainText(value)) return 'control_character';
  if (value.trim() !== value) return 'outer_blank';
  if (/^http:/i.test(value)) return 'http';
  if (!/^https:/i.test(value)) return 'not_https';
  if (value.includes('\\')) return 'backslash';
  if (/\s/.test(value)) return blankFault(value);
  if (!/^https:\/\/[^/]/i.test(value)) return 'no_host';
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined) return 'wrong_host';
  return url.username !== '' || url.password !== '' ? 'credentials' : undefined;
}
