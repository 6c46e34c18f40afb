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
    headerLine: 'Rubrikrad',
    headerLineHint: 'Radens nummer, om något står ovanför rubrikerna.',
    skipLast: 'Rader att hoppa över i slutet',
    skipLastHint: 'Till exempel 1 för en summarad.',
    wholeNumber: 'Skriv ett heltal från 1.',
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
    onLine: (line: string) => `rad ${line}`,
    onLines: (count: string, line: string) => `${count} rader, den första är rad ${line}`,
    onSoManyLines: rows,
    wouldBeKept: 'Filen har inget värde för fält som artiklarna redan har. De behålls som de är:',
    wouldBeEmptied: 'Filen har inget värde för fält som artiklarna redan har. De töms när filen skickas:',
    emptyThem: 'Töm dessa fält',
    emptyThemHint: 'Då gäller filen som den är, även där den är tom.',
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
    wrongForms: {
      notNumber:
        'är inte ett entydigt tal: skriv till exempel 1500, 1 500, 1499.50 eller 1 499,50, inte 1.500 eller 1,500',
      notBoolean: 'är varken ja eller nej: skriv ja, yes, true eller 1, eller nej, no, false eller 0',
      notShipping:
        'är ingen lista med fraktalternativ: skriv till exempel 1:79|3:0, som är alternativ 1 för 79 kr och alternativ 3 utan kostnad',
      formula: 'är en formel: spara filen med de värden som formlerna ger',
    },
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
    headerLine: 'Header line',
    headerLineHint: 'The number of the line, if there is something above the column names.',
    skipLast: 'Rows to skip at the end',
    skipLastHint: 'For example 1 for a row of totals.',
    wholeNumber: 'Enter a whole number from 1.',
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
    onLine: (line: string) => `line ${line}`,
    onLines: (count: string, line: string) => `${count} lines, the first is line ${line}`,
    onSoManyLines: lines,
    wouldBeKept: 'The file has no value for fields that the items already have. They are kept as they are:',
    wouldBeEmptied: 'The file has no value for fields that the items already have. They are emptied when it is sent:',
    emptyThem: 'Empty these fields',
    emptyThemHint: 'Then the file counts as it is, even where it is empty.',
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
    wrongForms: {
      notNumber: 'is not an unambiguous number: use for example 1500, 1 500, 1499.50 or 1 499,50, not 1.500 or 1,500',
      notBoolean: 'is neither yes nor no: use ja, yes, true or 1, or nej, no, false or 0',
      notShipping:
        'is no list of shipping options: use for example 1:79|3:0, which is option 1 for SEK 79 and option 3 for nothing',
      formula: 'is a formula: save the file with the values that the formulas give',
    },
  },
});
