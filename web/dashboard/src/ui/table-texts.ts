import { defineTexts } from '../i18n/define-texts.ts';

/** Words of lists: choosing rows, and doing something to several. */
export const tableTexts = defineTexts({
  sv: {
    selectAll: 'Markera alla rader',
    select: (name: string) => `Markera ${name}`,
    selected: (count: string) => `${count} markerade`,
    clearSelection: 'Avmarkera',
    forSelected: 'Åtgärder för markerade rader',
    doing: (done: string, all: string) => `${done} av ${all} klara …`,
    done: (count: string) => `${count} klara`,
    refused: (count: string) => `${count} kunde inte ändras`,
    close: 'Stäng',
  },
  en: {
    selectAll: 'Select all rows',
    select: (name: string) => `Select ${name}`,
    selected: (count: string) => `${count} selected`,
    clearSelection: 'Clear selection',
    forSelected: 'Actions for selected rows',
    doing: (done: string, all: string) => `${done} of ${all} done…`,
    done: (count: string) => `${count} done`,
    refused: (count: string) => `${count} could not be changed`,
    close: 'Close',
  },
});
