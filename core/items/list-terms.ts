import { normaliseIsbn } from '../domains/isbn.ts';
import { normalisePlate } from '../domains/registration-plate.ts';
import { effectiveContent } from './enrich-item.ts';
import type { Item } from './item.ts';
import type { ItemContent } from './item-content.ts';
import { swedishStem } from './swedish-stem.ts';

// Search terms of an item: stems of the words of its text, and its search key with the key's name before it
// (`plate:MLB84A`). A word has no colon, so both kinds share one index without colliding.

/** Bounds the index keys that a push writes: a description of a thousand words is found by its first ones only. */
export const itemTermsMax = 250;
/** Words of one search; each costs one index look-up. */
export const queryTermsMax = 10;
const wordLengthMax = 40;
/** More than enough text for {@link itemTermsMax} words, so that longer text costs no further time. */
const textLengthMax = 5_000;

/** Words without meaning for a search: they are neither indexed nor searched for. */
const fillers = new Set(
  'och eller i på av till från för med utan om vid en ett den det de som är har kan samt att inte'.split(' '),
);

type Described = Pick<Item, 'content' | 'enrichment'>;

/** Terms of an item: its search key, then words of the titles, then of the descriptions, both as shown and as the caller sent. */
export function termsOfItem(item: Described): string[] {
  const { keys, texts } = termSourceOf(item);
  return [...new Set([...keys, ...[...new Set(texts)].flatMap(termsOfText)])].slice(0, itemTermsMax);
}

/** Whether both certainly have the same terms. This costs a fraction of building the terms. */
export function haveSameTerms(one: Described, other: Described): boolean {
  const [own, others] = [termSourceOf(one), termSourceOf(other)];
  return areEqual(own.texts, others.texts) && areEqual(own.keys, others.keys);
}

/** Whether both hold the same texts in the same order. */
export const areEqual = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((text, index) => text === others[index]);

/** Everything that the terms are built from. */
function termSourceOf(item: Described): { readonly keys: readonly string[]; readonly texts: readonly string[] } {
  const shown = effectiveContent(item);
  const { title, description } = item.content;
  return { keys: keyTerms(item.content), texts: [shown.title, title, shown.description, description] };
}

/** Stems of the words of a text, each once, in their order. */
export function termsOfText(text: string): string[] {
  const words = comparable(text.slice(0, textLengthMax)).match(/[\p{L}\p{N}]+/gu) ?? [];
  return [
    ...new Set(words.filter((word) => !fillers.has(word)).map((word) => swedishStem(word).slice(0, wordLengthMax))),
  ];
}

/** Case and accents don't count, but å, ä and ö are letters of their own. */
const comparable = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('æ', 'ä')
    .replaceAll('ø', 'ö')
    .replace(/[^a-z0-9åäö\s]/g, (letter) => letter.normalize('NFD').replace(/\p{M}/gu, ''));

function keyTerms({ domain }: ItemContent): string[] {
  if (domain === null) return [];
  const { registrationPlate, isbn, part } = domain.attributes;
  if (domain.slug === 'vehicles') return ownTerm(registrationPlate, plateTerm);
  if (domain.slug === 'books') return ownTerm(isbn, isbnTerm);
  const hasNumber = typeof part === 'object' && part !== null && 'oemNumber' in part;
  return domain.slug === 'auto_parts' && hasNumber ? ownTerm(part.oemNumber, oemNumberTerm) : [];
}

function ownTerm(value: unknown, termOf: (value: string) => string | undefined): string[] {
  const term = typeof value === 'string' ? termOf(value) : undefined;
  return term === undefined ? [] : [term];
}

/** undefined when it can't be a Swedish plate. */
export function plateTerm(input: string): string | undefined {
  const plate = normalisePlate(input);
  return plate === undefined ? undefined : `plate:${plate}`;
}

/** An ISBN-10 is found by its ISBN-13 and the other way round. undefined when the input is no ISBN. */
export function isbnTerm(input: string): string | undefined {
  const isbn = normaliseIsbn(input);
  return isbn === undefined ? undefined : `isbn:${isbn.length === 10 ? isbn13Of(isbn) : isbn}`;
}

function isbn13Of(isbn10: string): string {
  const digits = `978${isbn10.slice(0, 9)}`;
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

/** Only letters and digits count: a part number is written in one piece, or in groups with spaces, dots or hyphens between. */
export function oemNumberTerm(input: string): string | undefined {
  const number = input
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
  return number === '' ? undefined : `oem:${number}`;
}
