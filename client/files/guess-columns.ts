import type { ColumnMap } from './file-findings.ts';
import { fieldLike, findItemField, plainName, type ItemFieldName } from './item-fields.ts';

/** Names of columns in exports of Swedish and English systems, the likeliest first. */
const names: Readonly<Partial<Record<ItemFieldName, readonly string[]>>> = {
  externalId: [
    ...['artikelnummer', 'artikelnr', 'artnr', 'art nr', 'artikelkod', 'artikel id', 'produktnummer', 'produktnr'],
    ...['produkt id', 'varunummer', 'varunr', 'lagernummer', 'lagernr', 'sku', 'item number', 'item no', 'item id'],
    ...['article number', 'article no', 'product number', 'product no', 'product id', 'stock number', 'stock no'],
    ...['part id', 'external reference', 'artikel', 'id'],
  ],
  title: [
    ...['titel', 'benämning', 'artikelbenämning', 'produktbenämning', 'varubenämning', 'artikelnamn', 'produktnamn'],
    ...['rubrik', 'namn', 'product name', 'item name', 'article name', 'heading', 'name'],
  ],
  price: [
    ...['pris', 'försäljningspris', 'utpris', 'utgångspris', 'startpris', 'butikspris', 'pris inkl moms', 'pris sek'],
    ...['sales price', 'selling price', 'start price', 'starting price', 'unit price', 'price sek', 'retail price'],
  ],
  description: [
    ...['beskrivning', 'produktbeskrivning', 'artikelbeskrivning', 'lång beskrivning', 'annonstext', 'text'],
    ...['long description', 'product description', 'details'],
  ],
  imageUrls: [
    ...[
      'images',
      'image urls',
      'bild',
      'bilder',
      'bildurl',
      'bild url',
      'bildlänk',
      'bildlänkar',
      'bildadress',
      'image',
      'image url',
      'image link',
    ],
    ...['picture', 'pictures', 'picture url', 'photo', 'photos', 'foto'],
  ],
  shippingCost: ['frakt', 'fraktkostnad', 'fraktpris', 'porto', 'shipping', 'shipping price', 'freight'],
  weightKg: ['vikt', 'vikt kg', 'weight', 'nettovikt', 'bruttovikt'],
  autoPublishTradera: ['publicera', 'auto publish', 'publish'],
  domain: ['kategori', 'artikelkategori', 'category', 'product category'],
  'domain.part.oemNumber': [
    'oem',
    'oem nr',
    'oem nummer',
    'oem number',
    'oe nummer',
    'originalnummer',
    'original number',
    'oe number',
  ],
  'domain.vehicle.manufacturer': ['bilmärke', 'fordonsmärke', 'bilfabrikat', 'car make', 'vehicle make'],
  'domain.vehicle.model': ['bilmodell', 'fordonsmodell', 'car model', 'vehicle model'],
  'domain.vehicle.year': ['årsmodell', 'modellår', 'model year'],
  'domain.conditionGrade': ['skick', 'kvalitet', 'kvalitetsklass', 'condition', 'grade'],
  'domain.registrationPlate': ['regnr', 'registreringsnummer', 'reg nr', 'registration plate', 'license plate'],
  'domain.isbn': ['isbn', 'isbn13', 'isbn10'],
};

/** Names at least this long also match the beginning of a column's name: `Pris exkl. frakt`. */
const beginningMin = 4;

/**
 * Guesses which column holds which field by their names; each field and each column at most once. Columns that have a
 * field's own name are left out, because they need no mapping. A person should check the guess.
 */
export function guessColumns(header: readonly string[]): ColumnMap {
  const named = new Set(header.filter((column) => findItemField(column.trim()) !== undefined));
  const taken = new Set([...named].map((column) => column.trim()));
  const used = new Set(named);
  const guessed: Record<string, string> = {};
  // The field's own name in another spelling is likelier than any other.
  for (const column of header) {
    const field = used.has(column) ? undefined : fieldLike(column);
    if (field === undefined || taken.has(field)) continue;
    taken.add(field);
    used.add(column);
    guessed[field] = column;
  }
  for (const fits of [isSame, isBeginning])
    for (const [field, words] of Object.entries(names)) {
      if (taken.has(field)) continue;
      const column = words
        .flatMap((word) => header.filter((one) => !used.has(one) && fits(plainName(one), plainName(word))))
        .at(0);
      if (column === undefined) continue;
      taken.add(field);
      used.add(column);
      guessed[field] = column;
    }
  return withImageColumns(guessed, header);
}

const isSame = (column: string, word: string): boolean => column === word;
const isBeginning = (column: string, word: string): boolean => word.length >= beginningMin && column.startsWith(word);

/** `Bild 1`, `Bild 2` …: one address each. */
function withImageColumns(guessed: Record<string, string>, header: readonly string[]): ColumnMap {
  const { imageUrls: first, ...rest } = guessed;
  if (first === undefined) return guessed;
  const stem = plainName(first).replace(/(?<!\d)\d+$/, '');
  const columns = header.filter((column) => plainName(column).replace(/(?<!\d)\d+$/, '') === stem);
  if (columns.length < 2) return guessed;
  return { ...rest, ...Object.fromEntries(columns.map((column, index) => [`imageUrls.${index}`, column])) };
}
