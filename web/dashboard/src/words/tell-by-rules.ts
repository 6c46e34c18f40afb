import type { Language } from '../i18n/languages.ts';

/** What the service says, and the same in each language; `$1` is what stood in the first brackets. */
export type Rule = readonly [said: RegExp, sv: string, en: string];

/** The sentence of the first rule that fits; undefined when none does. */
export function tellByRules(rules: readonly Rule[], said: string, language: Language): string | undefined {
  for (const [pattern, sv, en] of rules) {
    const found = pattern.exec(said);
    if (found !== null) return fillIn(language === 'sv' ? sv : en, found);
  }
  return undefined;
}

const fillIn = (template: string, found: readonly string[]): string =>
  template.replaceAll(/\$(\d)/g, (_, place: string) => found[Number(place)] ?? '');
