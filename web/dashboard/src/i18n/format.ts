import { useMemo } from 'preact/hooks';
import type { Language } from './languages.ts';
import { useLanguage } from './language.ts';

const locales: Readonly<Record<Language, string>> = { sv: 'sv-SE', en: 'en-GB' };
/** All times are Swedish, wherever the browser is. */
const timeZone = 'Europe/Stockholm';

export interface Format {
  /** `1 234` */
  number(value: number): string;
  /** SEK, with öre only when there are any: `1 249 kr`. */
  money(sek: number): string;
  /** From a share such as 0.125: `12,5 %`. */
  percent(share: number): string;
  /** A difference: `+1 234`, `−1`. */
  signed(value: number): string;
  /** `+1 249 kr` */
  signedMoney(sek: number): string;
  /** From 0.125: `+13 %`. */
  signedPercent(share: number): string;
  /** `22 nov. 08:14`, with the year unless it is the present one. */
  time(iso: string): string;
  /** `22 nov. 08:14:07`: for a log, where seconds count. */
  second(iso: string): string;
  /** To the second, for a tooltip. */
  exactTime(iso: string): string;
  /** `22 nov. 2026` */
  day(iso: string): string;
  /** `för 3 min sedan`, and `nu` within the minute, seen from `now` (milliseconds since 1970). */
  ago(iso: string, now: number): string;
  /** From a byte count: `1,2 MB`. */
  bytes(count: number): string;
}

/** Formats in the page's language. */
export function useFormat(): Format {
  const language = useLanguage();
  return useMemo(() => createFormat(language), [language]);
}

function createFormat(language: Language): Format {
  const locale = locales[language];
  const numbers = new Intl.NumberFormat(locale);
  const dates = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat(locale, { timeZone, ...options });
  const clock = { hour: '2-digit', minute: '2-digit' } as const;
  const year = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric' });
  const thisYear = dates({ day: 'numeric', month: 'short', ...clock });
  const otherYear = dates({ day: 'numeric', month: 'short', year: 'numeric', ...clock });
  const seconds = dates({ day: 'numeric', month: 'short', ...clock, second: '2-digit' });
  const exact = dates({ dateStyle: 'full', timeStyle: 'long' });
  const days = dates({ dateStyle: 'medium' });
  const signed = new Intl.NumberFormat(locale, { signDisplay });
  const signedPercents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0, signDisplay });
  const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 });
  return {
    number: (value) => numbers.format(value),
    money: (sek) => moneyFormat(locale, Number.isInteger(sek) ? 0 : 2).format(sek),
    percent: (share) => percents.format(share),
    signed: (value) => signed.format(value),
    signedMoney: (sek) => moneyFormat(locale, Number.isInteger(sek) ? 0 : 2, signDisplay).format(sek),
    signedPercent: (share) => signedPercents.format(share),
    time: (iso) => {
      const at = new Date(iso);
      return (year.format(at) === year.format(new Date()) ? thisYear : otherYear).format(at);
    },
    second: (iso) => seconds.format(new Date(iso)),
    exactTime: (iso) => exact.format(new Date(iso)),
    day: (iso) => days.format(new Date(iso)),
    ago: (iso, now) =>
      formatAgo(new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' }), now - Date.parse(iso)),
    bytes: (count) => formatBytes(locale, count),
  };
}

/** Nothing is neither more nor less. */
const signDisplay = 'exceptZero';

const moneyFormat = (
  locale: string,
  digits: number,
  sign: Intl.NumberFormatOptions['signDisplay'] = 'auto',
): Intl.NumberFormat =>
  new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: 'SEK',
    signDisplay: sign,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });

const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

function formatAgo(relative: Intl.RelativeTimeFormat, elapsedMs: number): string {
  const seconds = Math.round(elapsedMs / 1_000);
  const [unit, length] = steps.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', Infinity];
  return relative.format(-Math.round(seconds / length), unit);
}

const byteUnits: readonly (readonly [string, number])[] = [
  ['gigabyte', 1_000_000_000],
  ['megabyte', 1_000_000],
  ['kilobyte', 1_000],
];

function formatBytes(locale: string, count: number): string {
  const [unit, size] = byteUnits.find(([, least]) => count >= least) ?? ['byte', 1];
  return new Intl.NumberFormat(locale, { style: 'unit', unit, maximumFractionDigits: 1 }).format(count / size);
}
