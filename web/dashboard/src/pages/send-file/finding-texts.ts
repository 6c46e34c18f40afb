import { englishFindings, englishRemarks, type FileTexts } from '../../../../../client/files/english.ts';
import type { FileFindings, FileRemarks, ForeignFile, NotedRows } from '../../../../../client/files/file-findings.ts';
import type { Texts } from '../../i18n/define-texts.ts';
import type { Language } from '../../i18n/languages.ts';

const labels: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  externalId: { sv: 'Artikel-id (krävs)', en: 'Item id (required)' },
  title: { sv: 'Titel (krävs)', en: 'Title (required)' },
  price: { sv: 'Pris (krävs)', en: 'Price (required)' },
  description: { sv: 'Beskrivning', en: 'Description' },
  imageUrls: { sv: 'Bilder, åtskilda av |', en: 'Images, separated by |' },
  shippingCost: { sv: 'Frakt', en: 'Shipping cost' },
  weightKg: { sv: 'Vikt i kg', en: 'Weight in kg' },
  quantity: { sv: 'Antal', en: 'Quantity' },
  autoPublishTradera: { sv: 'Publicera: ja eller nej', en: 'Publish: yes or no' },
  refreshImages: { sv: 'Hämta bilderna igen: ja eller nej', en: 'Fetch images again: yes or no' },
  useAiEnhancement: { sv: 'AI-förbättring: ja eller nej', en: 'AI enhancement: yes or no' },
  domain: { sv: 'Kategori', en: 'Category' },
  account: { sv: 'Medlemmens referens', en: 'Member reference' },
  currency: { sv: 'Valuta', en: 'Currency' },
};

/** The name of a field for people; a field without one keeps its name in the API. */
export function fieldLabel(name: string, language: Language): string {
  const image = /^imageUrls\.(\d+)$/.exec(name)?.[1];
  if (image !== undefined) return `${language === 'sv' ? 'Bild' : 'Image'} ${Number(image) + 1}`;
  return labels[name]?.[language] ?? name;
}

const saveAs = 'spara den som ”CSV UTF-8” och välj den filen';

const foreignFiles: Readonly<Record<ForeignFile, string>> = {
  xlsx: `Det är en Excel-arbetsbok (.xlsx): öppna den i Excel, ${saveAs}.`,
  xls: `Det är en äldre Excel-arbetsbok (.xls) eller ett annat Office-dokument: öppna den i Excel, ${saveAs}.`,
  ods: 'Det är ett OpenDocument-kalkylark (.ods): öppna det, spara det som ”Text CSV” och välj den filen.',
  zip: 'Det är ett ZIP-arkiv: packa upp det och välj filen i det.',
  gzip: 'Filen är packad med gzip: packa upp den och välj filen i den.',
  pdf: 'Det är en PDF: exportera artiklarna som CSV och välj den filen.',
  xml: 'Det är XML: exportera artiklarna som CSV eller JSON och välj den filen.',
  binary: 'Det är ingen textfil: välj CSV med en rubrikrad, ett JSON-objekt per rad eller en JSON-lista.',
};

const list = (words: readonly string[]): string => words.join(' | ');

/** Without the advice for the command line. */
const english: FileTexts<FileFindings> = {
  ...englishFindings,
  notText: ({ what }) =>
    what === 'gzip'
      ? 'The file is compressed with gzip: decompress it and choose the file inside.'
      : englishFindings.notText({ what }),
  titleRow: ({ line, header }) =>
    `Line ${line} looks like a title; the header is on line ${header}: enter ${header} as the line of the header.`,
  totalsRow: ({ line }) =>
    `The last row, on line ${line}, looks like a row of totals: enter 1 as the number of rows to skip at the end.`,
  columnsMissing: ({ missing }) =>
    `Choose the columns for: ${missing.map((name) => fieldLabel(name, 'en')).join(', ')}.`,
};

const swedish: FileTexts<FileFindings> = {
  empty: () => 'Filen är tom.',
  notText: ({ what }) => foreignFiles[what],
  unknownEncoding: ({ encoding }) => `Teckenkodningen ”${encoding}” stöds inte.`,
  oddLetters: ({ line }) =>
    `Filen är varken UTF-8 eller, av bokstäverna att döma, Windows-1252 (rad ${line}); den kan komma från ett gammalt DOS-program. Spara den som UTF-8, eller välj rätt teckenkodning.`,
  mixedEncodings: ({ utf8Line, otherLine }) =>
    `Filen blandar teckenkodningar: rad ${utf8Line} är UTF-8, rad ${otherLine} är det inte. Spara om den, eller välj rätt teckenkodning.`,
  badBytes: ({ encoding, line }) => `Filen är inte ${encoding} (rad ${line}).`,
  columnsMissing: ({ missing }) => `Välj kolumner för: ${missing.map((name) => fieldLabel(name, 'sv')).join(', ')}.`,
  fieldTwice: ({ line, field }) => `Rubrikraden (rad ${line}) har kolumnen ${field} två gånger.`,
  imagesTwice: ({ line, fields }) =>
    `Rubrikraden (rad ${line}) anger bilder på flera sätt (${fields.join(' och ')}): välj ett av dem.`,
  noSuchField: ({ field }) => `”${field}” är inget fält i en artikel.`,
  noSuchColumn: ({ column, header }) => `Filen har ingen kolumn ”${column}”. Den har: ${list(header)}`,
  tooManyCells: ({ line, cells, columns }) =>
    `Rad ${line} har ${cells} celler och rubrikraden ${columns}: en cell som innehåller skiljetecknet måste stå inom citattecken.`,
  tooFewCells: ({ line, cells, columns }) =>
    `Rad ${line} har ${cells} ${cells === 1 ? 'cell' : 'celler'} och rubrikraden ${columns}: en cell med radbrytning måste stå inom citattecken.`,
  openQuote: ({ line }) =>
    `Citattecknet som börjar på rad ${line} avslutas aldrig. Ett citattecken inom citattecken skrivs två gånger.`,
  textAfterQuote: ({ line, opened, text }) =>
    `Efter citattecknet på rad ${line}, som avslutar det på rad ${opened}, står ”${text}” i stället för ett skiljetecken. Ett citattecken inom citattecken skrivs två gånger; kanske avslutades det på rad ${opened} aldrig.`,
  longCell: ({ line, isQuoted }) =>
    `En cell som börjar på rad ${line} har mer än 1 000 000 tecken, och fler läses inte.${isQuoted ? ' Kanske avslutas dess citattecken aldrig: ett citattecken inom citattecken skrivs två gånger.' : ''}`,
  titleRow: ({ line, header }) =>
    `Rad ${line} ser ut som en titel, och rubrikraden är rad ${header}: ange ${header} som rubrikrad.`,
  noHeaderLine: ({ line }) => `Ingen rad börjar på rad ${line}, där rubrikraden skulle vara.`,
  totalsRow: ({ line }) =>
    `Den sista raden, rad ${line}, ser ut som en summarad: ange 1 som antal rader att hoppa över i slutet.`,
  otherExport: ({ of }) =>
    `Det är en exporterad fil med ${of === 'orders' ? 'ordrar' : 'leveranser av webhooks'}. Den kan inte importeras: det kan bara filer med artiklar.`,
  openItem: ({ item, line }) => `Objekt ${item} i listan, som börjar på rad ${line}, avslutas aldrig.`,
  longItem: ({ item, line }) =>
    `Objekt ${item} i listan, som börjar på rad ${line}, har mer än 2 000 000 tecken, och fler läses inte. Kanske avslutas det aldrig.`,
  noList: ({ line }) => `En JSON-fil är en enda lista, [ … ]; rad ${line} har något utanför den.`,
  oneValue: () => 'Det är ett JSON-objekt över flera rader: skriv ett objekt per rad, eller en lista av dem, [ … ].',
};

const swedishRemarks: FileTexts<FileRemarks> = {
  readAs: ({ encoding }) => `Filen är inte UTF-8: den läses som ${encoding}.`,
  columnLeftOut: ({ column }) => `Kolumnen ”${column}” är inget fält i en artikel och hoppas över.`,
  noImages: () => 'Ingen kolumn är vald för bilder: nya artiklar får inga bilder.',
  toldColumns: ({ columns }) => `Det som tjänsten själv vet läses inte: ${list(columns)}.`,
  guardedCells: (about) =>
    `${cells(about)}: apostrofen, som hindrar kalkylprogram från att ändra texten, hör inte till den.`,
  severalAddresses: (about) =>
    `${cells(about)}: flera bildadresser med mellanslag, komma eller semikolon emellan; var och en tas för sig.`,
  archivedRows: (about) => `${rows(about)} med arkiverade artiklar hoppas över: de skulle bli nya artiklar.`,
  cutFile: ({ line }) => `Den exporterade filen rymde inte alla rader (rad ${line}): det som saknas ändras inte.`,
  totalsRow: ({ line }) =>
    `Den sista raden, rad ${line}, ser ut som en summarad: ange 1 som antal rader att hoppa över i slutet.`,
};

const cells = ({ count, line }: NotedRows): string =>
  count === 1 ? `En cell på rad ${line}` : `${count} celler (den första på rad ${line})`;

const rows = ({ count, line }: NotedRows): string =>
  count === 1 ? `Rad ${line}` : `${count} rader (den första är rad ${line})`;

/** Why a file can't be read as items. */
export const findingTexts: Texts<FileTexts<FileFindings>> = { sv: swedish, en: english };

/** Remarks on a file that is accepted. */
export const remarkTexts: Texts<FileTexts<FileRemarks>> = {
  sv: swedishRemarks,
  en: {
    ...englishRemarks,
    noImages: () => 'No column is chosen for images: new items will have none.',
    totalsRow: english.totalsRow,
  },
};
