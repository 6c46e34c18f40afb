import { Refusal } from '../../features/rules/errors.ts';
import type { ItemRequest } from '../../features/items/rules/item-content.ts';
import { unseenIn } from '../../features/rules/unseen-text.ts';
import { BadValue, type ParameterReader } from '../query.ts';

export const externalIdLengthMax = 255;

/** For lists that can be limited to one item. */
export const externalIdFilter: ParameterReader<string> = (raw) =>
  raw !== '' && [...raw].length <= externalIdLengthMax
    ? raw
    : new BadValue(`must have 1 to ${externalIdLengthMax} characters`);

/**
 * The caller's own identifier of an item, from the path or from a line of a batch: 1 to 255 characters, verbatim. Throws
 * `BAD_REQUEST`. NUL and unpaired surrogates are refused, because they can't be stored and found again.
 */
export function readExternalId(raw: unknown): string {
  if (typeof raw !== 'string') throw badExternalId('must be a string');
  if (raw === '') throw badExternalId('must not be empty');
  // Created by a body, such an item could not be reached: HTTP clients and proxies leave these out of a path.
  if (raw === '.' || raw === '..') throw badExternalId("must not be . or .., which a path can't hold");
  // Characters are code points, as for titles. The UTF-16 length is never smaller and is cheap, so it is checked first.
  if (raw.length > externalIdLengthMax && [...raw.slice(0, 2 * externalIdLengthMax + 2)].length > externalIdLengthMax) {
    throw badExternalId(`must be at most ${externalIdLengthMax} characters`);
  }
  if (raw.includes('\0') || /\p{Surrogate}/u.test(raw)) {
    throw badExternalId('must not contain NUL characters or unpaired surrogates');
  }
  return raw;
}

/**
 * Adds warnings about an id that is probably a mistake. The id is still kept as sent (specification "Item"), so that the item is
 * found under exactly that id. `field`: the name of the id's field.
 */
export function withIdWarnings(request: ItemRequest, externalId: string, field: string): ItemRequest {
  const warnings = strangenessOf(externalId).map((message) => ({ field, message: `${message}; it is kept as sent` }));
  return warnings.length === 0 ? request : { ...request, warnings: [...warnings, ...request.warnings] };
}

/** Why a line with a shortened id is refused when another one, with another content, has the same id. */
export const shortenedTwice = (other: string): string =>
  `is in ${other} too, for another item: a spreadsheet has shortened both ids`;

/** The warning about an id that differs from another one only in ways that can't be seen. */
export const looksLike = (other: string): string =>
  `looks like ${other}, but is written with other characters: they are two items`;

const invisible = String.raw`[\s\p{Cf}]`;
const isBlank = new RegExp(`^${invisible}*$`, 'u');
const hasBlankEnds = new RegExp(`^${invisible}|${invisible}$`, 'u');

/**
 * Whether a spreadsheet has made a number of the id and shortened it: `7,31235E+12` was an article number of 13 digits.
 * `1E5` may be an id of its own.
 */
export const isShortened = (externalId: string): boolean =>
  /^\d[.,]\d+E[+-]?\d+$/i.test(externalId) || /^\dE\+\d{2,}$/i.test(externalId);

function strangenessOf(externalId: string): string[] {
  const inner = [
    ...(/\p{Cc}/u.test(externalId) ? ['has control characters'] : []),
    ...(hasUnseenInside.test(externalId) ? [`has characters that can't be seen (${unseenIn(externalId) ?? ''})`] : []),
    ...(isShortened(externalId) ? ['is a long number that a spreadsheet has shortened'] : []),
    ...(externalId.startsWith('=') ? ['looks like a formula of a spreadsheet'] : []),
  ];
  if (isBlank.test(externalId)) return ['has nothing but blanks', ...inner];
  return hasBlankEnds.test(externalId) ? ['begins or ends with a blank', ...inner] : inner;
}

/** Beside control characters and those at the ends, which have words of their own. */
const hasUnseenInside = /[^\s\p{Cf}](?! )[\p{Z}\p{Cf}\p{Default_Ignorable_Code_Point}]+[^\s\p{Cf}]/u;

function badExternalId(message: string): Refusal {
  return new Refusal('BAD_REQUEST', `external_id ${message}`, { details: [{ field: 'external_id', message }] });
}
