import { defineTexts } from '../i18n/define-texts.ts';

export const shownOnceTexts = defineTexts({
  sv: {
    warning: 'Kopiera och spara den nu. Den visas bara en gång.',
    saved: 'Jag har sparat den',
  },
  en: {
    warning: 'Copy and save it now. It is shown only once.',
    saved: 'I’ve saved it',
  },
});
