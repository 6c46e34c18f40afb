import { defineTexts } from '../../i18n/define-texts.ts';

export const waitTexts = defineTexts({
  sv: {
    waitsFor: 'Väntar på',
    /** For reasons that this page does not know. */
    other: { what: 'nästa försök', help: 'Vi försöker igen automatiskt.' },
    since: 'Sedan',
    nextTry: 'Nästa försök',
    attempts: (count: string) => `${count} försök hittills`,
    lastProblem: 'Senaste problem:',
    failed: 'Publiceringen misslyckades',
    refused: 'Senaste försöket misslyckades',
    working: 'Bearbetas …',
    toConnection: 'Visa anslutningen',
  },
  en: {
    waitsFor: 'Waiting for',
    other: { what: 'the next attempt', help: 'We’ll retry automatically.' },
    since: 'Since',
    nextTry: 'Next attempt',
    attempts: (count) => `${count} attempts so far`,
    lastProblem: 'Last problem:',
    failed: 'Publishing failed',
    refused: 'The last attempt failed',
    working: 'Processing…',
    toConnection: 'View the connection',
  },
});
