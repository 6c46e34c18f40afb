import { createStoredChoice, useStore } from '../state/use-store.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const chosen = createStoredChoice<Theme>({ key: 'theme', choices: themes, otherwise: 'system' });
const systemIsDark = matchMedia('(prefers-color-scheme: dark)');

/** Sets `data-theme` (light or dark) on the document, by choice or by the system's setting, from now on. */
export function startTheme(): void {
  const apply = (): void => {
    const theme = chosen.get();
    document.documentElement.dataset['theme'] = theme === 'system' ? (systemIsDark.matches ? 'dark' : 'light') : theme;
  };
  apply();
  chosen.subscribe(apply);
  systemIsDark.addEventListener('change', apply);
}

/** The chosen theme. */
export const useTheme = (): Theme => useStore(chosen);

/** Changes the theme and remembers it in this browser. */
export const setTheme = (theme: Theme): void => {
  chosen.set(theme);
};
