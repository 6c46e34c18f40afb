import { useTexts } from '../i18n/define-texts.ts';
import { Switch } from './switch.tsx';
import { shellTexts } from './texts.ts';
import { setTheme, themes, useTheme } from './theme.ts';

export function ThemeSwitch() {
  const t = useTexts(shellTexts);
  const choices = themes.map((theme) => ({ value: theme, label: t.themes[theme] }));
  return <Switch label={t.theme} value={useTheme()} choices={choices} onChange={setTheme} />;
}
