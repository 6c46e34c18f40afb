import { anyBlankOrDash, anyDash } from '../../rules/unseen-text.ts';

// An own check instead of a library. Libraries also use a table of assigned groups, and refuse real books whose range
// is newer than the table. The check digit finds typing errors, which is all that is needed.

/**
 * The ISBN without hyphens and spaces, its `x` as `X`; undefined when it is no ISBN-10 or ISBN-13 with a right
 * check digit. ISBN-13 starts with 978 or 979; 979-0 belongs to printed music (ISMN) and is refused.
 */
export function normaliseIsbn(input: string): string | undefined {
  const isbn = input.replace(anyBlankOrDash, '').toUpperCase();
  if (/^[0-9]{9}[0-9X]$/.test(isbn)) return isIsbn10(isbn) ? isbn : undefined;
  if (/^97(8[0-9]|9[1-9])[0-9]{9}$/.test(isbn)) return isIsbn13(isbn) ? isbn : undefined;
  return undefined;
}

function isIsbn10(isbn: string): boolean {
  const sum = digitsOf(isbn).reduce((total, digit, index) => total + digit * (10 - index), 0);
  return sum % 11 === 0;
}

function isIsbn13(isbn: string): boolean {
  const sum = digitsOf(isbn).reduce((total, digit, index) => total + digit * (index % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0;
}

const digitsOf = (isbn: string): number[] => [...isbn].map((digit) => (digit === 'X' ? 10 : Number(digit)));

/**
 * The canonical form of a BCP 47 language tag (`SV-se` → `sv-SE`, `iw` → `he`); undefined when it is none. Old registered tags
 * (`i-klingon`) and fully private tags (`x-own`) are not supported, although BCP 47 has them: no search could use them.
 */
export function normaliseLanguage(input: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(input.replace(anyDash, '-'))[0];
  } catch (error) {
    // Intl has no check without an exception: a malformed tag throws a RangeError.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/** Whether the language of a canonical tag has a name: `svenska` has the form of a tag and names no language. */
export function isNamedLanguage(tag: string): boolean {
  try {
    return names.of(new Intl.Locale(tag).language) !== undefined;
  } catch (error) {
    // A name is missing for `und`, which means that the language is unknown.
    if (error instanceof RangeError) return false;
    throw error;
  }
}
