import { defineTexts } from '../../i18n/define-texts.ts';

const rows = (count: string): string => (count === '1' ? '1 rad' : `${count} rader`);
const lines = (count: string): string => (count === '1' ? '1 line' : `${count} lines`);

export const sendFileTexts = defineTexts({
  sv: {
    title: 'Skicka en fil',
    lead: 'Artiklar från en fil: CSV som Excel eller ett affärssystem sparar den, eller JSON. Inget händer förrän du har provat filen och skickat den.',
    parent: 'Massynkningar',

    sendFor: 'Skicka för',
    file: 'Fil',
    pick: 'Fil med artiklar',
    pickHint: 'CSV, JSON-lista eller ett JSON-objekt per rad.',
    tooLarge: (megabytes: string) =>
      `Filen är större än ${megabytes} MB: skicka den med verktyget (npx itembridge sync).`,
    encoding: 'Teckenkodning',
    encodingAuto: 'Hittas av sig själv',
    encodingHint: 'Ändra den om å, ä och ö ser fel ut i exemplen nedan.',
    unreadable: 'Filen kan inte läsas',

    columns: 'Kolumner',
    columnsLead: 'Vad varje kolumn i filen är. Förslaget kommer från kolumnernas namn: se efter att det stämmer.',
    saveMapping: 'Spara kopplingen',
    leaveOut: 'Utelämnas',
    emptyColumn: 'Tom i de första raderna',
    chosenTwice: (column: string) => `Kolumnen ${column} är redan det.`,
    domain: 'Kategori för alla rader',
    domainHint: 'Ingen kolumn är kategori.',
    noDomain: 'Ingen kategori',
    publish: 'Publicera artiklarna på marknadsplatsen',
    publishHint: 'Annars sparas de och publiceras när du ber om det.',

    send: 'Prova och skicka',
    sendLead: 'Att prova filen ändrar ingenting: varje rad kontrolleras så långt dess innehåll räcker.',
    tryOut: 'Prova filen',
    tried: (total: string, failed: string) => `Ingenting är ändrat. ${rows(total)} i filen, ${failed} med fel.`,
    warned: (count: string) => `${rows(count)} med varningar, som tas emot.`,
    repeated: (count: string) => `${rows(count)} med ett id som redan står i filen. Den sista raden gäller.`,
    failedStay:
      'Rader med fel tas inte emot. Rätta dem i filen, eller spara dem för sig, rätta och skicka dem efteråt.',
    saveErrors: 'Spara raderna att rätta',
    sendNow: (count: string) => `Skicka ${rows(count)}`,
    taken: 'Filen är mottagen',

    reports: 'Rader med fel och varningar',
    line: 'Rad',
    item: 'Nummer',
    externalId: 'Artikelns id',
    severity: 'Art',
    severities: { error: 'Fel', warning: 'Varning' },
    what: 'Förklaring',
    notNumber:
      'är inget tydligt tal: 1499.50, 1 499,50 och 1.499,50 är det, liksom 1500 och 1 500, men varken 1.500 eller 1,500',
    notBoolean: 'är varken ja eller nej: skriv ja, yes, true eller 1; nej, no, false eller 0',
  },
  en: {
    title: 'Send a file',
    lead: 'Items from a file: CSV as Excel or an ERP saves it, or JSON. Nothing happens until you have tried the file and sent it.',
    parent: 'Bulk syncs',

    sendFor: 'Send for',
    file: 'File',
    pick: 'File of items',
    pickHint: 'CSV, a JSON list, or one JSON object a line.',
    tooLarge: (megabytes: string) =>
      `The file is larger than ${megabytes} MB: send it with the tool (npx itembridge sync).`,
    encoding: 'Encoding',
    encodingAuto: 'Found by itself',
    encodingHint: 'Change it when letters look wrong in the examples below.',
    unreadable: 'The file can’t be read',

    columns: 'Columns',
    columnsLead: 'What each column of the file is. The suggestion comes from the names of the columns: check it.',
    saveMapping: 'Save the mapping',
    leaveOut: 'Left out',
    emptyColumn: 'Empty in the first rows',
    chosenTwice: (column: string) => `The column ${column} is that already.`,
    domain: 'Category of all rows',
    domainHint: 'No column is the category.',
    noDomain: 'No category',
    publish: 'Publish the items on the marketplace',
    publishHint: 'Otherwise they are kept, and published when you ask for it.',

    send: 'Try and send',
    sendLead: 'Trying the file changes nothing: every line is checked as far as its content tells.',
    tryOut: 'Try the file',
    tried: (total: string, failed: string) => `Nothing is changed. ${lines(total)} in the file, ${failed} with errors.`,
    warned: (count: string) => `${lines(count)} with warnings, which are taken.`,
    repeated: (count: string) => `${lines(count)} with an id that is in the file before. The last line counts.`,
    failedStay: 'Lines with errors are not taken. Correct them in the file, or save them, correct and send them later.',
    saveErrors: 'Save the lines to correct',
    sendNow: (count: string) => `Send ${lines(count)}`,
    taken: 'The file is taken',

    reports: 'Lines with errors and warnings',
    line: 'Line',
    item: 'Number',
    externalId: 'Id of the item',
    severity: 'Kind',
    severities: { error: 'Error', warning: 'Warning' },
    what: 'Explanation',
    notNumber:
      'is no clear number: 1499.50, 1 499,50 and 1.499,50 are; so are 1500 and 1 500, but neither 1.500 nor 1,500',
    notBoolean: 'is neither yes nor no: write ja, yes, true or 1; nej, no, false or 0',
  },
});
