import type { Language } from '../i18n/languages.ts';

/** A message of the service and its texts in each language; `$1` is the content of the first brackets. */
export type Rule = readonly [said: RegExp, sv: string, en: string];

/** The text of the first rule that matches; undefined when none does. */
export function tellByRules(rules: readonly Rule[], said: string, language: Language): string | undefined {
  for (const [pattern, sv, en] of rules) {
    const found = pattern.exec(said);
    if (found !== null) return fillIn(language === 'sv' ? sv : en, found);
  }
  return undefined;
}

const fillIn = (template: string, found: readonly string[]): string =>
  template.replaceAll(/\$(\d)/g, (_, place: string) => found[Number(place)] ?? '');
