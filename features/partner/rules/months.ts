/** A calendar month in Europe/Stockholm, `YYYY-MM`. Compares as text. */
export type Month = string;

const parts = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/Stockholm',
  calendar: 'gregory',
  numberingSystem: 'latn',
  year: 'numeric',
  month: '2-digit',
});

/** The month in Stockholm at that moment (interface-decisions "Orders"). */
export function stockholmMonth(at: Date): Month {
  const found = new Map(parts.formatToParts(at).map(({ type, value }) => [type, value]));
  return `${(found.get('year') ?? '').padStart(4, '0')}-${found.get('month') ?? ''}`;
}

/** The `count` months up to and including `last`, oldest first. */
export function monthsUntil(last: Month, count: number): Month[] {
  const [year = 0, month = 0] = last.split('-').map(Number);
  const lastNumber = year * 12 + month - 1;
  return Array.from({ length: count }, (_, index) => monthOfNumber(lastNumber - count + 1 + index));
}

const monthOfNumber = (number: number): Month =>
  `${String(Math.floor(number / 12)).padStart(4, '0')}-${String((number % 12) + 1).padStart(2, '0')}`;
