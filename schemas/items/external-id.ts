import { Refusal } from '../../features/rules/errors.ts';
import { keptAsSent, told, type Told } from '../../features/rules/field-problems.ts';
import type { ItemRequest } from '../../features/items/rules/item-content.ts';
import { unseenIn } from '../../features/rules/unseen-text.ts';
import { BadValue, type ParameterReader } from '../query.ts';

export const externalIdLengthMax = 255;

/** For lists that can be limited to one item. */
export const externalIdFilter: ParameterReader<string> = (raw) =>
  raw !== '' && [...raw].length <= externalIdLengthMax
    ? raw
    : new BadValue(told('wrong_length', { max: externalIdLengthMax }));

/**
 * The caller's own identifier of an item, from the path or from a line of a batch: 1 to 255 characters, verbatim. Throws
 * `BAD_REQUEST`. NUL and unpaired surrogates are refused, because they can't be stored and found again.
 */
export function readExternalId(raw: unknown): string {
  if (typeof raw !== 'string') throw badExternalId(told('wrong_type', { type: 'string' }));
  if (raw === '') throw badExternalId(told('empty'));
  // Created by a body, such an item could not be reached: HTTP clients and proxies leave these out of a path.
  if (raw === '.' || raw === '..') throw badExternalId(told('dot_segment'));
  // Characters are code points, as for titles. The UTF-16 length is never smaller and is cheap, so it is checked first.
  if (raw.length > externalIdLengthMax && [...raw.slice(0, 2 * externalIdLengthMax + 2)].length > externalIdLengthMax) {
    throw badExternalId(told('too_long', { max: externalIdLengthMax }));
  }
  if (raw.includes('\0') || /\p{Surrogate}/u.test(raw)) throw badExternalId(told('not_text'));
  return raw;
}

/**
 * Adds warnings about an id that is probably a mistake. The id is still kept as sent (specification "Item"), so that the item is
 * found under exactly that id. `field`: the name of the id's field.
 */
export function withIdWarnings(request: ItemRequest, externalId: string, field: string): ItemRequest {
  const warnings = strangenessOf(externalId).map((strange) => keptAsSent({ field, ...strange }));
  return warnings.length === 0 ? request : { ...request, warnings: [...warnings, ...request.warnings] };
}

const invisible = String.raw`[\s\p{Cf}]`;
const isBlank = new RegExp(`^${invisible}*$`, 'u');
const hasBlankEnds = new RegExp(`^${invisible}|${invisible}$`, 'u');

/**
 * Whether a spreadsheet has made a number of the id and shortened it: `7,31235E+12` was an article number of 13 digits.
 * `1E5` may be an id of its own.
 */
export const isShortened = (externalId: string): boolean =>
  /^\d[.,]\d+E[+-]?\d+$/i.test(externalId) || /^\dE\+\d{2,}$/i.test(externalId);

function strangenessOf(externalId: string): Told[] {
  const inner = [
    ...(/\p{Cc}/u.test(externalId) ? [told('control_characters')] : []),
    ...(hasUnseenInside.test(externalId) ? [told('unseen_characters', { unseen: unseenIn(externalId) ?? '' })] : []),
    ...(isShortened(externalId) ? [told('shortened')] : []),
    ...(externalId.startsWith('=') ? [told('formula', {})] : []),
  ];
  if (isBlank.test(externalId)) return [told('only_blanks'), ...inner];
  return hasBlankEnds.test(externalId) ? [told('outer_blank'), ...inner] : inner;
}

/** Beside control characters and those at the ends, which have words of their own. */
const hasUnseenInside = /[^\s\p{Cf}](?! )[\p{Z}\p{Cf}\p{Default_Ignorable_Code_Point}]+[^\s\p{Cf}]/u;

function badExternalId(problem: Told): Refusal {
  const field = 'external_id';
  return new Refusal('BAD_REQUEST', `${field} ${problem.message}`, { details: [{ field, ...problem }] });
}
