import { useTexts } from '../i18n/define-texts.ts';
import { setLanguage, useLanguage } from '../i18n/language.ts';
import { languages, type Language } from '../i18n/languages.ts';
import type { Choice } from '../ui/field.tsx';
import './switch.css';
import { shellTexts } from './texts.ts';
import { setTheme, themes, useTheme } from './theme.ts';

interface SwitchProps<Value extends string> {
  /** For screen readers. */
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly Choice<Value>[];
  readonly onChange: (value: Value) => void;
}

/** A small choice about the page's appearance. */
function Switch<Value extends string>({ label, value, choices, onChange }: SwitchProps<Value>) {
  return (
    <select
      class="switch"
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => {
        const chosen = choices.find((choice) => choice.value === currentTarget.value);
        if (chosen !== undefined) onChange(chosen.value);
      }}
    >
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </select>
  );
}

const names: Readonly<Record<Language, string>> = { sv: 'Svenska', en: 'English' };

export function LanguageSwitch() {
  const t = useTexts(shellTexts);
  const choices = languages.map((language) => ({ value: language, label: names[language] }));
  return <Switch label={t.language} value={useLanguage()} choices={choices} onChange={setLanguage} />;
}

export function ThemeSwitch() {
  const t = useTexts(shellTexts);
  const choices = themes.map((theme) => ({ value: theme, label: t.themes[theme] }));
  return <Switch label={t.theme} value={useTheme()} choices={choices} onChange={setTheme} />;
}
