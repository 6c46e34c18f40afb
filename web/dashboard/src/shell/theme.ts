import { createStoredChoice, useStore } from '../state/use-store.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const chosen = createStoredChoice<Theme>({ key: 'theme', choices: themes, otherwise: 'system' });
const systemIsDark = matchMedia('(prefers-color-scheme: dark)');

/** Puts `data-theme` (light or dark) on the document, by choice or as the system has it, from now on. */
export function startTheme(): void {
  const apply = (): void => {
    const theme = chosen.get();
    document.documentElement.dataset['theme'] = theme === 'system' ? (systemIsDark.matches ? 'dark' : 'light') : theme;
  };
  apply();
  chosen.subscribe(apply);
  systemIsDark.addEventListener('change', apply);
}

export const useTheme = (): Theme => useStore(chosen);

export const setTheme = (theme: Theme): void => {
  chosen.set(theme);
};
