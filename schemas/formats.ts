import { normaliseIsbn, normaliseLanguage } from '../features/items/rules/book-codes.ts';
import { logoBytesMax, logoTypeOf, type LogoType } from '../features/resellers/rules/logo.ts';
import { unseenIn } from '../features/rules/unseen-text.ts';
import { normalisePlate } from '../features/vehicles/rules/vehicle.ts';

export interface TextFormat {
  readonly type: 'string';
  readonly validate: (value: string) => boolean;
  readonly message: string;
  /** The reason for this value, which is added to the message. */
  readonly reason?: (value: string) => string | undefined;
}

/**
 * Our own formats for schemas, each with a message. Most of these rules can't be written as JSON Schema, or tools would
 * read them differently.
 */
export const formats = {
  'plain-text': {
    type: 'string',
    validate: isPlainText,
    message: 'must not contain NUL characters or unpaired surrogates',
  },
  title: {
    type: 'string',
    // A blank title has its own message. A schema has only one format, so this one also refuses NUL and unpaired surrogates.
    validate: (value) => value.trim() === '' || (isPlainText(value) && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value)),
    message:
      'must be one line of text without control characters such as line feeds or tabs, and without unpaired surrogates',
  },
  'https-url': {
    type: 'string',
    validate: (value) => whyNoHttpsUrl(value) === undefined,
    message: 'must be an HTTPS URL',
    reason: whyNoHttpsUrl,
  },
  isbn: {
    type: 'string',
    validate: (value) => isShort(value) && normaliseIsbn(value) !== undefined,
    message: 'must be an ISBN-10 or ISBN-13 with a correct check digit',
    reason: whatIsUnseen,
  },
  'language-tag': {
    type: 'string',
    validate: (value) => isShort(value) && normaliseLanguage(value) !== undefined,
    message:
      'must be a BCP 47 language code such as sv or en-GB; private (x-…) and old registered ones (i-…) are not supported',
    reason: whatIsUnseen,
  },
  logo: {
    type: 'string',
    validate: (value) => logoTypeIn(value) !== undefined,
    message: `must be a PNG, JPEG or WebP picture in Base64, of at most ${logoBytesMax / 1_000} KB`,
  },
  'registration-plate': {
    type: 'string',
    validate: (value) => isShort(value) && normalisePlate(value) !== undefined,
    message: 'must be a Swedish registration plate such as MLB 84A',
    reason: whatIsUnseen,
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

function whatIsUnseen(value: string): string | undefined {
  const codes = unseenIn(value.slice(0, 1_000));
  return codes === undefined ? undefined : `it has ${codes}, which can't be seen`;
}

/** What stands between addresses that a spreadsheet has in one cell, also percent-encoded. */
const between = String.raw`[\s,;|，；、"'<>[\]{}\\]|\\[nrt]|%(?:0[9AD]|20|22|2C|3B|3[CE]|5[BD]|7[BCD]|C2%A0)`;
/** A letter or digit too, but not that of an encoded sign: `/fetch/https://` and `?u=%2Fhttps://` are one address. */
const nextAddress = new RegExp(
  String.raw`(?:${between}|(?<!%[\dA-F]?)[\p{L}\p{N}])(?:https?|ftp):\/\/|(?:${between})https?%3A%2F%2F`,
  'iu',
);

const whatIsBlank = (value: string): string =>
  /[,;|]\s|\s[,;|]/.test(value)
    ? 'it has a space beside a separator: send several addresses each on its own'
    : 'it has a space: write %20';

/**
 * undefined for an HTTPS URL. URL parsers read `https:///x` as the host x. Credentials in a URL would end up in logs, and fetch
 * refuses them anyway.
 */
function whyNoHttpsUrl(value: string): string | undefined {
  if (value === '') return 'it is empty';
  if (nextAddress.test(value.trim())) return 'it has several addresses: send each on its own';
  if (/[\t\n\r]/.test(value) || !isPlainText(value)) return 'it has a control character';
  if (value.trim() !== value) return 'it begins or ends with a blank';
  if (/^http:/i.test(value)) return 'it begins with http://';
  if (!/^https:/i.test(value)) return 'it does not begin with https://';
  if (value.includes('\\')) return 'it has a backslash: write /';
  if (/\s/.test(value)) return whatIsBlank(value);
  if (!/^https:\/\/[^/]/i.test(value)) return 'two slashes and a host follow https:';
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined) return 'its host or port is not valid';
  if (url.username !== '' || url.password !== '') return 'it must not hold a user name or password';
  return undefined;
}
