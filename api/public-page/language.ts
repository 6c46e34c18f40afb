import type { IncomingHttpHeaders } from 'node:http';

export const languages = ['sv', 'en'] as const;
export type Language = (typeof languages)[number];

/** The language of a `?lang=` value; undefined for any other text. */
export const readLanguage = (value: string | undefined): Language | undefined =>
  languages.find((language) => language === value);

/** Most visitors speak Swedish, so it is the default without a header. Visitors who prefer neither language get English. */
export function preferredLanguage({ 'accept-language': accepted = '' }: IncomingHttpHeaders): Language {
  if (accepted.trim() === '') return 'sv';
  const ranked = accepted
    .slice(0, 1_000)
    .split(',')
    .map(readPreference)
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight);
  const [first] = ranked.flatMap(({ tag }) => (tag === '*' ? 'sv' : (readLanguage(tag) ?? [])));
  return first ?? 'en';
}

/** `sv-SE;q=0.8`: only the language counts. An invalid weight counts as 0. */
function readPreference(text: string): { readonly tag: string; readonly weight: number } {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
  return { tag: range.split('-')[0] ?? '', weight: /^[01](\.\d{0,3})?$/.test(weight) ? Number(weight) : 0 };
}

const locales: Readonly<Record<Language, string>> = { sv: 'sv-SE', en: 'en-GB' };

/** `bps` in hundredths of a per cent: 250 is 2,5 %. */
export const percentText = (bps: number, language: Language): string =>
  new Intl.NumberFormat(locales[language], { style: 'percent', maximumFractionDigits: 2 }).format(bps / 10_000);

/** A calendar day in Swedish time, written in the language. */
export const dateText = (date: Date, language: Language): string =>
  new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeZone: 'Europe/Stockholm' }).format(date);
