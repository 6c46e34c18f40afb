/**
 * How the text of a cell becomes a value. `amount`: a number of SEK; `addresses`: several, separated by `|`;
 * `shipping`: shipping options with their costs, `8:0|p6:79`.
 */
export type CellType = 'text' | 'number' | 'amount' | 'boolean' | 'addresses' | 'shipping';

export interface ItemField {
  /** The name in a column's header: `domain.part.oemNumber`. */
  readonly name: string;
  /** The path in the item: `['domain', 'part', 'oemNumber']`. */
  readonly path: readonly string[];
  readonly type: CellType;
}

/**
 * Every field of an item that a column can hold, by its dotted path, with its type. A test compares it with the
 * schemas. Where domains share a name with different types, the type is text, which accepts every value.
 */
export const itemFieldTypes = {
  externalId: 'text',
  title: 'text',
  price: 'amount',
  description: 'text',
  imageUrls: 'addresses',
  shippingCost: 'amount',
  weightKg: 'number',
  quantity: 'number',
  autoPublishTradera: 'boolean',
  useAiEnhancement: 'boolean',
  refreshImages: 'boolean',
  domain: 'text',
  account: 'text',
  currency: 'text',
  schemaVersion: 'text',
  'listing.durationDays': 'number',
  'listing.startsAt': 'text',
  'listing.endsAt': 'text',
  'listing.reservePrice': 'amount',
  'listing.buyNowPrice': 'amount',
  'listing.relist.times': 'number',
  'listing.relist.priceStep': 'amount',
  'listing.shippingOptions': 'shipping',
  'listing.vatPercent': 'number',
  'listing.categoryId': 'number',
  'domain.part.oemNumber': 'text',
  'domain.part.name': 'text',
  'domain.vehicle.manufacturer': 'text',
  'domain.vehicle.model': 'text',
  'domain.vehicle.year': 'number',
  'domain.vehicle.vehicleType': 'text',
  'domain.conditionGrade': 'text',
  'domain.conditionNote': 'text',
  'domain.registrationPlate': 'text',
  'domain.make': 'text',
  'domain.model': 'text',
  'domain.year': 'number',
  'domain.mileageKm': 'number',
  'domain.fuelType': 'text',
  'domain.color': 'text',
  'domain.serialNumber': 'text',
  'domain.memoryGb': 'number',
  'domain.batteryHealthPercentage': 'number',
  'domain.size': 'text',
  'domain.material': 'text',
  'domain.gender': 'text',
  'domain.isbn': 'text',
  'domain.author': 'text',
  'domain.publisher': 'text',
  'domain.language': 'text',
  'domain.brand': 'text',
  'domain.modelReference': 'text',
  'domain.movementType': 'text',
  'domain.caseSizeMm': 'number',
} as const satisfies Readonly<Record<string, CellType>>;

export type ItemFieldName = keyof typeof itemFieldTypes;

export const requiredFields = ['externalId', 'title', 'price'] as const;

/** Objects whose keys are the partner's own; a key may contain dots. */
export const mapFields = ['domain.part.catalogCodes'] as const;

/** Other names of the image list. */
const imageLists: ReadonlySet<string> = new Set(['imageUrls', 'images', 'image_urls']);

/**
 * The field of a dotted path; undefined when there is none. `domain` alone is its slug, `imageUrls.0` one address,
 * `imageUrls` several separated by `|`, and `domain.part.catalogCodes.KEY` one code.
 */
export function findItemField(name: string): ItemField | undefined {
  if (name === 'domain' || name === 'domain.domain') return { name, path: ['domain', 'domain'], type: 'text' };
  const map = mapFields.find((prefix) => name.startsWith(`${prefix}.`) && name.length > prefix.length + 1);
  if (map !== undefined) return { name, path: [...map.split('.'), name.slice(map.length + 1)], type: 'text' };
  const [first = '', index, ...more] = name.split('.');
  if (imageLists.has(first)) return imageField(name, { first, index, isTooDeep: more.length > 0 });
  return isFieldName(name) ? { name, path: name.split('.'), type: itemFieldTypes[name] } : undefined;
}

const isFieldName = (name: string): name is ItemFieldName => Object.hasOwn(itemFieldTypes, name);

function imageField(
  name: string,
  { first, index, isTooDeep }: { first: string; index: string | undefined; isTooDeep: boolean },
): ItemField | undefined {
  if (index === undefined) return { name, path: [first], type: 'addresses' };
  return !isTooDeep && /^\d{1,2}$/.test(index) ? { name, path: [first, index], type: 'text' } : undefined;
}

/** The field with the same name apart from letter case and signs. */
export function fieldLike(name: string): string | undefined {
  const plain = plainName(name);
  return Object.keys(itemFieldTypes).find((known) => plainName(known) === plain);
}

/** Only letters and digits, in lower case; å and ä become a, ö becomes o, so that names without them match, too. */
export const plainName = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');
