import type { Language } from './languages.ts';
import { useLanguage } from './language.ts';

/** The same words in each language; a value is a string, or a function of what it is about. */
export type Texts<Words> = Readonly<Record<Language, Words>>;

/** Swedish says which words there are: one that is missing in the other language, or there too much, does not compile. */
export function defineTexts<Words>(texts: { sv: Words; en: NoInfer<Words> }): Texts<Words> {
  return texts;
}

/** The words in the language of the page; drawn again when it changes. */
export const useTexts = <Words>(texts: Texts<Words>): Words => texts[useLanguage()];
