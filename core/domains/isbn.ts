// Own check instead of a library: libraries also use a table of assigned groups, and refuse real books whose range is newer
// than the table. The check digit finds typing errors, and no more is needed here.

/**
 * The ISBN without hyphens and spaces, its `x` as `X`; undefined when it is no ISBN-10 or ISBN-13 with a right
 * check digit. ISBN-13 starts with 978 or 979; 979-0 belongs to printed music (ISMN) and is refused.
 */
export function normaliseIsbn(input: string): string | undefined {
  const isbn = input.replace(/[- ]/g, '').toUpperCase();
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
