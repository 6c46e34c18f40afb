import { normaliseIsbn } from '../core/domains/isbn.ts';
import { normaliseLanguage } from '../core/domains/language-tag.ts';
import { normalisePlate } from '../core/domains/registration-plate.ts';

interface TextFormat {
  readonly type: 'string';
  readonly validate: (value: string) => boolean;
  readonly message: string;
}

/**
 * Our own formats for schemas, each with the message for a caller whose value does not match. Most of these rules can't be
 * written as JSON Schema, or not so that every tool reads them the same way.
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
  'https-url': { type: 'string', validate: isHttpsUrl, message: 'must be an HTTPS URL' },
  isbn: {
    type: 'string',
    validate: (value) => isShort(value) && normaliseIsbn(value) !== undefined,
    message: 'must be an ISBN-10 or ISBN-13 with a correct check digit',
  },
  'language-tag': {
    type: 'string',
    validate: (value) => isShort(value) && normaliseLanguage(value) !== undefined,
    message:
      'must be a BCP 47 language code such as sv or en-GB; private (x-…) and old registered ones (i-…) are not supported',
  },
  'registration-plate': {
    type: 'string',
    validate: (value) => isShort(value) && normalisePlate(value) !== undefined,
    message: 'must be a Swedish registration plate such as MLB 84A',
  },
} as const satisfies Readonly<Record<string, TextFormat>>;

export type FormatName = keyof typeof formats;

/** Formats whose values are stored in a canonical form; all other values are stored as sent. */
export const normaliserOfFormat: ReadonlyMap<string, (value: string) => string | undefined> = new Map([
  ['isbn', normaliseIsbn],
  ['language-tag', normaliseLanguage],
  ['registration-plate', normalisePlate],
]);

/** A longer value exceeds its field's limit, which the schema reports, so parsing it would only cost time. */
const isShort = (value: string): boolean => value.length <= 1_000;

/** Excludes NUL, which database keys can't hold, and unpaired surrogates, which UTF-8 can't: they would be lost or changed. */
function isPlainText(value: string): boolean {
  return !value.includes('\0') && !/\p{Surrogate}/u.test(value);
}

/** URL parsers read `https:///x` as the host x. Credentials in a URL would end up in logs, and fetch refuses them anyway. */
function isHttpsUrl(value: string): boolean {
  if (!/^https:\/\/[^\s\\/][^\s\\]*$/i.test(value) || !isPlainText(value) || !URL.canParse(value)) return false;
  const url = new URL(value);
  return url.username === '' && url.password === '';
}
