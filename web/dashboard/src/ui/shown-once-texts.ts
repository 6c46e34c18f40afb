import { defineTexts } from '../i18n/define-texts.ts';

export const shownOnceTexts = defineTexts({
  sv: {
    warning: 'Kopiera och spara den nu. Den visas bara den här gången.',
    saved: 'Jag har sparat den',
  },
  en: {
    warning: 'Copy it and store it now. It is shown only this once.',
    saved: 'I have stored it',
  },
});
