import { createStoredChoice, useStore } from '../state/use-store.ts';
import { languages, type Language } from './languages.ts';

const chosen = createStoredChoice<Language>({
  key: 'language',
  choices: languages,
  otherwise: navigator.language.startsWith('sv') ? 'sv' : 'en',
});

/** Screen readers choose their pronunciation by it. */
const follow = (): void => {
  document.documentElement.lang = chosen.get();
};
follow();
chosen.subscribe(follow);

/** The page's language; components are drawn again when it changes. */
export const useLanguage = (): Language => useStore(chosen);

/** For code outside of components, which use {@link useLanguage}. */
export const currentLanguage = (): Language => chosen.get();

/** Changes the page's language and remembers it in this browser. */
export const setLanguage = (language: Language): void => {
  chosen.set(language);
};
