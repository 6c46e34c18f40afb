import { defineTexts } from '../../i18n/define-texts.ts';

const rows = (count: string): string => (count === '1' ? '1 rad' : `${count} rader`);
const lines = (count: string): string => (count === '1' ? '1 line' : `${count} lines`);

export const sendFileTexts = defineTexts({
  sv: {
    title: 'Skicka en fil',
    lead: 'Importera artiklar från en fil: CSV från Excel eller ett affärssystem, eller JSON. Inget ändras förrän du skickar filen.',
    parent: 'Filimporter',

    sendFor: 'Skicka för',
    file: 'Fil',
    pick: 'Fil med artiklar',
    pickHint: 'CSV, JSON-lista eller ett JSON-objekt per rad.',
    tooLarge: (megabytes: string) =>
      `Filen är större än ${megabytes} MB: skicka den med verktyget (npx itembridge sync).`,
    encoding: 'Teckenkodning',
    encodingAuto: 'Automatisk',
    encodingHint: 'Ändra den om å, ä och ö ser fel ut i exemplen nedan.',
    unreadable: 'Filen kan inte läsas',

    columns: 'Kolumner',
    columnsLead: 'Välj vad varje kolumn innehåller. Förslagen bygger på kolumnernas namn: kontrollera att de stämmer.',
    saveMapping: 'Spara kopplingen',
    leaveOut: 'Hoppa över',
    emptyColumn: 'Tom i de första raderna',
    chosenTwice: (column: string) => `Det är redan valt för kolumnen ${column}.`,
    domain: 'Kategori för alla rader',
    domainHint: 'Filen har ingen kolumn för kategori.',
    noDomain: 'Ingen kategori',
    publish: 'Publicera artiklarna på marknadsplatsen',
    publishHint: 'Annars sparas de, och du publicerar dem senare.',

    send: 'Kontrollera och skicka',
    sendLead: 'Kontrollen ändrar ingenting. Varje rads innehåll kontrolleras.',
    tryOut: 'Kontrollera filen',
    tried: (total: string, failed: string) => `${rows(total)} i filen, ${failed} med fel. Inget har ändrats.`,
    warned: (count: string) => `${rows(count)} med varningar, som importeras ändå.`,
    repeated: (count: string) => `${rows(count)} med ett id som redan finns i filen. Den sista raden gäller.`,
    failedStay:
      'Rader med fel importeras inte. Rätta dem i filen, eller spara dem separat, rätta dem och skicka dem efteråt.',
    saveErrors: 'Spara rader med fel',
    sendNow: (count: string) => `Skicka ${rows(count)}`,
    taken: 'Filen är mottagen',

    reports: 'Rader med fel och varningar',
    line: 'Rad',
    item: 'Nummer',
    externalId: 'Artikel-id',
    severity: 'Typ',
    severities: { error: 'Fel', warning: 'Varning' },
    what: 'Förklaring',
    notNumber:
      'är inte ett entydigt tal: skriv till exempel 1500, 1 500, 1499.50 eller 1 499,50, inte 1.500 eller 1,500',
    notBoolean: 'är varken ja eller nej: skriv ja, yes, true eller 1, eller nej, no, false eller 0',
  },
  en: {
    title: 'Send a file',
    lead: 'Import items from a file: CSV from Excel or an ERP, or JSON. Nothing changes until you send the file.',
    parent: 'File imports',

    sendFor: 'Send for',
    file: 'File',
    pick: 'File with items',
    pickHint: 'CSV, a JSON list, or one JSON object per line.',
    tooLarge: (megabytes: string) =>
      `The file is larger than ${megabytes} MB: send it with the tool (npx itembridge sync).`,
    encoding: 'Encoding',
    encodingAuto: 'Automatic',
    encodingHint: 'Change it if letters look wrong in the examples below.',
    unreadable: 'The file can’t be read',

    columns: 'Columns',
    columnsLead:
      'Choose what each column contains. Suggestions are based on the column names: check that they are right.',
    saveMapping: 'Save the mapping',
    leaveOut: 'Skip',
    emptyColumn: 'Empty in the first rows',
    chosenTwice: (column: string) => `Already chosen for the column ${column}.`,
    domain: 'Category for all rows',
    domainHint: 'The file has no category column.',
    noDomain: 'No category',
    publish: 'Publish the items on the marketplace',
    publishHint: 'Otherwise they are saved and you publish them later.',

    send: 'Check and send',
    sendLead: 'Checking the file changes nothing. The content of every line is checked.',
    tryOut: 'Check the file',
    tried: (total: string, failed: string) =>
      `${lines(total)} in the file, ${failed} with errors. Nothing has been changed.`,
    warned: (count: string) => `${lines(count)} with warnings, which are still imported.`,
    repeated: (count: string) => `${lines(count)} with an id already in the file. The last line wins.`,
    failedStay:
      'Lines with errors are not imported. Fix them in the file, or save them separately, fix them and send them later.',
    saveErrors: 'Save lines with errors',
    sendNow: (count: string) => `Send ${lines(count)}`,
    taken: 'File received',

    reports: 'Lines with errors and warnings',
    line: 'Line',
    item: 'Number',
    externalId: 'Item id',
    severity: 'Type',
    severities: { error: 'Error', warning: 'Warning' },
    what: 'Explanation',
    notNumber: 'is not an unambiguous number: use for example 1500, 1 500, 1499.50 or 1 499,50, not 1.500 or 1,500',
    notBoolean: 'is neither yes nor no: use ja, yes, true or 1, or nej, no, false or 0',
  },
});
