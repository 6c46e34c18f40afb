import { normaliseIsbn } from '../core/domains/isbn.ts';
import { normaliseLanguage } from '../core/domains/language-tag.ts';
import { normalisePlate } from '../core/domains/registration-plate.ts';

interface TextFormat {
  readonly type: 'string';
  readonly validate: (value: string) => boolean;
  readonly message: string;
}

/**
 * The formats of our own that a schema may name, each with what a caller is told who misses it. Most of these
 * rules can't be written as JSON Schema, or not so that every tool reads them the same way.
 */
export const formats = {
  'plain-text': {
    type: 'string',
    validate: isPlainText,
    message: 'must not contain NUL characters or unpaired surrogates',
  },
  title: {
    type: 'string',
    // A blank one has a message of its own. NUL and half characters are this format's business too: a schema names only one.
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

/** Formats whose values are stored in one canonical form; everything else is stored as it was sent. */
export const normaliserOfFormat: ReadonlyMap<string, (value: string) => string | undefined> = new Map([
  ['isbn', normaliseIsbn],
  ['language-tag', normaliseLanguage],
  ['registration-plate', normalisePlate],
]);

/** Whatever is longer is over its field's limit, which the schema reports; taking it apart would only cost time. */
const isShort = (value: string): boolean => value.length <= 1_000;

/** Neither the database's keys nor UTF-8 can carry these, so they would come back changed or not at all. */
function isPlainText(value: string): boolean {
  return !value.includes('\0') && !/\p{Surrogate}/u.test(value);
}

/** URL parsers take `https:///x` for the host x. Credentials in a URL would end up in logs, and fetch refuses them anyway. */
function isHttpsUrl(value: string): boolean {
  if (!/^https:\/\/[^\s\\/][^\s\\]*$/i.test(value) || !isPlainText(value) || !URL.canParse(value)) return false;
  const url = new URL(value);
  return url.username === '' && url.password === '';
}
