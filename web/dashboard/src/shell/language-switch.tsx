import { useTexts } from '../i18n/define-texts.ts';
import { languages, type Language } from '../i18n/languages.ts';
import { setLanguage, useLanguage } from '../i18n/language.ts';
import { Switch } from './switch.tsx';
import { shellTexts } from './texts.ts';

const names: Readonly<Record<Language, string>> = { sv: 'Svenska', en: 'English' };

export function LanguageSwitch() {
  const t = useTexts(shellTexts);
  const choices = languages.map((language) => ({ value: language, label: names[language] }));
  return <Switch label={t.language} value={useLanguage()} choices={choices} onChange={setLanguage} />;
}
