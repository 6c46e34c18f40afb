import type { CsvLanguage } from './csv.ts';
import { stateWords } from './state-words.ts';

type Headings = Readonly<Record<string, Readonly<Record<CsvLanguage, string>>>>;

// The headings of the files that the dashboard offers. The reader of files (client/files) knows them too, so that a file of items can be
// sent back, and one of orders is not taken for items.

export const itemHeadings = {
  externalId: { sv: 'Artikel-id', en: 'Item id' },
  title: { sv: 'Titel', en: 'Title' },
  domain: { sv: 'Kategori', en: 'Category' },
  price: { sv: 'Pris', en: 'Price' },
  status: { sv: 'Status', en: 'Status' },
  auction: { sv: 'Auktion', en: 'Auction' },
  adUrl: { sv: 'Adress', en: 'Address' },
  updatedAt: { sv: 'Ändrad', en: 'Updated' },
} as const satisfies Headings;

export const orderHeadings = {
  id: { sv: 'Order-id', en: 'Order id' },
  period: { sv: 'Såld i månad', en: 'Month sold' },
  soldAt: { sv: 'Såld', en: 'Sold' },
  paidAt: { sv: 'Betald', en: 'Paid' },
  completedAt: { sv: 'Avslutad', en: 'Completed' },
  status: { sv: 'Status', en: 'Status' },
  externalId: { sv: 'Artikel-id', en: 'Item id' },
  title: { sv: 'Titel', en: 'Title' },
  platform: { sv: 'Såld via', en: 'Sold through' },
  amount: { sv: 'Pris inkl. moms', en: 'Price incl. VAT' },
  vatPercent: { sv: 'Moms %', en: 'VAT %' },
  vat: { sv: 'Varav moms', en: 'VAT within' },
  fee: { sv: 'Avgift', en: 'Fee' },
  net: { sv: 'Netto', en: 'Net' },
  shipping: { sv: 'Frakt', en: 'Shipping' },
  currency: { sv: 'Valuta', en: 'Currency' },
} as const satisfies Headings;

export const deliveryHeadings = {
  createdAt: { sv: 'Tid', en: 'Time' },
  eventType: { sv: 'Händelse', en: 'Event' },
  externalId: { sv: 'Artikel-id', en: 'Item id' },
  endpointId: { sv: 'Mottagare', en: 'Receiver' },
  attempt: { sv: 'Försök', en: 'Attempt' },
  status: { sv: 'Resultat', en: 'Result' },
  httpStatus: { sv: 'HTTP-status', en: 'HTTP status' },
  durationMs: { sv: 'Svarstid (ms)', en: 'Time taken (ms)' },
  errorMessage: { sv: 'Fel', en: 'Error' },
  eventId: { sv: 'Händelsens id', en: 'Event id' },
  deliveryId: { sv: 'Leveransens id', en: 'Delivery id' },
} as const satisfies Headings;

/** The last line of a file that can't hold all rows. */
export const cutLine: Readonly<Record<CsvLanguage, string>> = {
  sv: 'Filen slutar här: så många rader får plats. Välj en kortare period eller fler filter.',
  en: 'The file ends here: it holds no more rows. Choose a shorter period or more filters.',
};

/** What the files call an item that was deleted and is only kept: sent back, its row would make a new one. */
export const archivedWords: readonly string[] = [stateWords.sv.service.archived, stateWords.en.service.archived];
