import { createStoredChoice, useStore } from '../state/use-store.ts';
import { languages, type Language } from './languages.ts';

const chosen = createStoredChoice<Language>({
  key: 'language',
  choices: languages,
  otherwise: navigator.language.startsWith('sv') ? 'sv' : 'en',
});

/** Screen readers take their pronunciation from it. */
const follow = (): void => {
  document.documentElement.lang = chosen.get();
};
follow();
chosen.subscribe(follow);

export const useLanguage = (): Language => useStore(chosen);

/** Where no component draws; one that draws has {@link useLanguage}. */
export const currentLanguage = (): Language => chosen.get();

export const setLanguage = (language: Language): void => {
  chosen.set(language);
};
