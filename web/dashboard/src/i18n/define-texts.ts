import type { Language } from './languages.ts';
import { useLanguage } from './language.ts';

/** The same texts in each language; a value is a string, or a function of its parameters. */
export type Texts<Words> = Readonly<Record<Language, Words>>;

/** Swedish defines the texts: a missing or superfluous one in the other language does not compile. */
export function defineTexts<Words>(texts: { sv: Words; en: NoInfer<Words> }): Texts<Words> {
  return texts;
}

/** The texts in the page's language; components are drawn again when it changes. */
export const useTexts = <Words>(texts: Texts<Words>): Words => texts[useLanguage()];
