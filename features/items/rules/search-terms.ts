import { normaliseIsbn } from './book-codes.ts';
import { normalisePlate } from '../../vehicles/rules/vehicle.ts';
import { effectiveContent } from './enrich-item.ts';
import type { ItemContent } from './item-content.ts';
import type { Item } from './item.ts';

// An item is found by its search terms: stems of the words of its text, ends of the words of its title and external id,
// and its search key with the key's name (`plate:MLB84A`). Words contain no colon, so all kinds share one index.

/** Limits the index keys that a push writes: a description of a thousand words is found by its first words only. */
export const itemTermsMax = 250;
/** Most ends of words, in addition to the other terms. A title of ten words has some 60. */
export const itemEndsMax = 100;
/** Shorter words are found by their beginning only, because they are rarely compounds. */
const compoundLengthMin = 7;
/**
 * A shorter end of a word is no term. Numbers have a lower limit, because people often search for their last digits.
 */
const endLengthMin = { letters: 4, digits: 3 } as const;
/** A shorter search word finds only the same word, because too many words begin with a single letter. */
const startLengthMin = 2;
/** Words of one search; each costs one index look-up. */
export const queryTermsMax = 10;
const wordLengthMax = 40;
/** More than enough text for {@link itemTermsMax} words, so that longer text costs no further time. */
const textLengthMax = 5_000;

/** Words without meaning for a search: they are neither indexed nor searched for. */
const fillers = new Set(
  'och eller i på av till från för med utan om vid en ett den det de som är har kan samt att inte'.split(' '),
);

type Described = Pick<Item, 'content' | 'enrichment' | 'externalId'>;

/**
 * Terms of an item: its search key, then words of the external id, the titles and the descriptions, as shown and as the caller
 * sent them; then the ends of the words of external id and titles.
 */
export function termsOfItem(item: Described): string[] {
  const { keys, named, texts } = termSourceOf(item);
  const whole = [...keys, ...[...new Set([...named, ...texts])].flatMap(termsOfText)];
  const ends = [...new Set(named)].flatMap(wordsOf).flatMap(endsOf);
  return [...new Set([...new Set(whole)].slice(0, itemTermsMax).concat([...new Set(ends)].slice(0, itemEndsMax)))];
}

/** One word of a search: an item has a term that is `whole`, or begins with `start`. Only `whole` counts where there is no `start`. */
export interface SearchedTerm {
  readonly whole: string;
  readonly start?: string;
}

/**
 * The words of a search. A term that begins like the word is a longer word, or the end of a compound that contains it:
 * `kastare` finds `strålkastare`.
 */
export function searchedTerms(text: string): SearchedTerm[] {
  const words = [...new Set(wordsOf(text).map((word) => word.slice(0, wordLengthMax)))];
  return words.map((start) => ({
    whole: swedishStem(start),
    ...(start.length >= startLengthMin && { start }),
  }));
}

/**
 * `strålkastare`, `trålkastare`, … `tare`. With å, ä and ö also in the form with a and o, because not every keyboard
 * has these letters.
 */
function endsOf(word: string): string[] {
  const letters = word.slice(0, wordLengthMax);
  const hasDigits = /\d/.test(letters);
  const shortest = hasDigits ? endLengthMin.digits : endLengthMin.letters;
  const isWhole = !hasDigits && letters.length < compoundLengthMin;
  const count = isWhole ? 1 : Math.max(1, letters.length - shortest + 1);
  return Array.from({ length: count }, (_, from) => letters.slice(from)).flatMap((end) => [end, withoutMarks(end)]);
}

const withoutMarks = (word: string): string => word.replace(/[åä]/g, 'a').replaceAll('ö', 'o');

/** Whether both certainly have the same terms. This costs a fraction of building the terms. */
export function haveSameTerms(one: Described, other: Described): boolean {
  const [own, others] = [termSourceOf(one), termSourceOf(other)];
  return (['named', 'texts', 'keys'] as const).every((source) => areEqual(own[source], others[source]));
}

/** Whether both lists hold the same texts in the same order. */
export const areEqual = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((text, index) => text === others[index]);

/** All inputs of the terms; `named` are the texts of which parts are found, too. */
interface TermSource {
  readonly keys: readonly string[];
  readonly named: readonly string[];
  readonly texts: readonly string[];
}

function termSourceOf(item: Described): TermSource {
  const shown = effectiveContent(item);
  const { title, description } = item.content;
  return {
    keys: keyTerms(item.content),
    named: [item.externalId, shown.title, title],
    texts: [shown.description, description],
  };
}

/** Stems of the words of a text, each once, in their order. */
export const termsOfText = (text: string): string[] => [
  ...new Set(wordsOf(text).map((word) => swedishStem(word).slice(0, wordLengthMax))),
];

function wordsOf(text: string): string[] {
  const words: readonly string[] = comparable(text.slice(0, textLengthMax)).match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => !fillers.has(word));
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

/** undefined when the text can't be a Swedish plate. */
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

// The Swedish Snowball stemmer (snowballstem.org/algorithms/swedish), so that `bromsskivor` finds `bromsskiva`. It is own
// code because a stored stem must never change with a library's version.

const inflections =
  'a arna erna heterna orna ad e ade ande arne are aste en anden aren heten ern ar er heter or as arnas ernas ornas es ades andes ens arens hetens erns at andet het ast';

/** Each step takes its longest ending, and leaves the first letters of it that are said. */
const steps: readonly (readonly [ending: RegExp, left: (ending: string) => number])[] = [
  [new RegExp(`(?:${inflections.replaceAll(' ', '|')}|(?<=[bcdfghjklmnoprtvy])s)$`, 'g'), () => 0],
  [/(?:[dg]d|nn|[dgkt]t)$/g, () => 1],
  [/(?:löst|fullt|lig|els|ig)$/g, (ending) => (ending.endsWith('t') ? ending.length - 1 : 0)],
];

/** The stem of a lower-case word; the word itself when it has no known ending, as with numbers. */
export function swedishStem(word: string): string {
  // Endings count only behind the first consonant that follows a vowel, and behind the third letter.
  const consonant = word.search(/(?<=[aeiouyäåö])[^aeiouyäåö]/);
  if (consonant === -1) return word;
  return steps.reduce((rest, [ending, left]) => {
    ending.lastIndex = Math.max(consonant + 1, 3);
    const found = ending.exec(rest);
    return found === null ? rest : rest.slice(0, found.index + left(found[0]));
  }, word);
}
