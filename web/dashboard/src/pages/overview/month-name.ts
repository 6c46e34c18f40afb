import { useMemo } from 'preact/hooks';
import { useLanguage } from '../../i18n/language.ts';
import { middleOf } from './revenue-series.ts';

type Length = 'short' | 'long';

/** `nov.` or `november 2026` from `2026-11`. */
export function useMonthName(): (month: string, length: Length) => string {
  const language = useLanguage();
  return useMemo(() => {
    const locale = language === 'sv' ? 'sv-SE' : 'en-GB';
    const formats: Readonly<Record<Length, Intl.DateTimeFormat>> = {
      short: new Intl.DateTimeFormat(locale, { month: 'short' }),
      long: new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' }),
    };
    return (month, length) => formats[length].format(new Date(middleOf(month)));
  }, [language]);
}
