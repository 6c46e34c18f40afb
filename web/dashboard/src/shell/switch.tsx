import { useTexts } from '../i18n/define-texts.ts';
import { setLanguage, useLanguage } from '../i18n/language.ts';
import { languages, type Language } from '../i18n/languages.ts';
import { Select } from '../ui/field.tsx';
import './switch.css';
import { shellTexts } from './texts.ts';
import { setTheme, themes, useTheme } from './theme.ts';

const names: Readonly<Record<Language, string>> = { sv: 'Svenska', en: 'English' };

export function LanguageSwitch() {
  const t = useTexts(shellTexts);
  const choices = languages.map((language) => ({ value: language, label: names[language] }));
  return (
    <Select class="switch" aria-label={t.language} value={useLanguage()} choices={choices} onChange={setLanguage} />
  );
}

export function ThemeSwitch() {
  const t = useTexts(shellTexts);
  const choices = themes.map((theme) => ({ value: theme, label: t.themes[theme] }));
  return <Select class="switch" aria-label={t.theme} value={useTheme()} choices={choices} onChange={setTheme} />;
}
