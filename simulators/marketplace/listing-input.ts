import { fieldsOf, Refusal, type Fields } from '../kit/fields.ts';
import type { ListingFields, Revision, ShippingOption } from './model.ts';

const priceMax = 10_000_000;
const daysMax = 14;
const dayMs = 86_400_000;

/** Single categories and, for a range of the taxonomy, its first and last. */
const categories: readonly (readonly [number, number])[] = [
  ...[516, 517, 520, 521, 523, 524, 525, 527, 529, 530, 531, 533, 534, 535, 536, 537, 541].map(
    (id) => [id, id] as const,
  ),
  [8174, 8178],
  [8290, 8300],
];

/** The body of a create call. Throws a 400 `InvalidRequest` that names the field. */
export function parseListing(body: unknown, now: number): ListingFields {
  const fields = fieldsOf(body);
  checkFixedFields(fields);
  const listing = {
    title: readTitle(fields),
    description: fields.has('description') ? readDescription(fields) : '',
    categoryId: readCategory(fields),
    durationDays: readDuration(fields),
    customEndAt: fields.has('customEndDate') ? readEnd(fields, now) : null,
    startPrice: readStartPrice(fields),
    reservePrice: fields.has('reservePrice') ? readPrice(fields, 'reservePrice') : null,
    buyItNowPrice: fields.has('buyItNowPrice') ? readPrice(fields, 'buyItNowPrice') : null,
    vat: fields.has('vat') ? readVat(fields) : null,
    shippingOptions: fields.has('shippingOptions') ? readShipping(fields) : [],
    weightKg: fields.has('weightKg') ? readWeight(fields) : null,
    ownReferences: fields.has('ownReferences') ? readReferences(fields) : [],
  };
  checkPrices(listing);
  return listing;
}

/** The body of an update: the same fields, each optional. */
export function parseRevision(itemId: number, body: unknown): Revision {
  const fields = fieldsOf(body);
  const changes: Partial<ListingFields> = {
    ...(fields.has('title') ? { title: readTitle(fields) } : {}),
    ...(fields.has('description') ? { description: readDescription(fields) } : {}),
    ...(fields.has('categoryId') ? { categoryId: readCategory(fields) } : {}),
    ...(fields.has('duration') ? { durationDays: readDuration(fields) } : {}),
    ...(fields.has('startPrice') ? { startPrice: readStartPrice(fields) } : {}),
    ...changedPrices(fields),
    ...(fields.has('vat') ? { vat: readVat(fields) } : {}),
    ...(fields.has('shippingOptions') ? { shippingOptions: readShipping(fields) } : {}),
    ...(fields.has('weightKg') ? { weightKg: readWeight(fields) } : {}),
    ...(fields.raw('weightKg') === null ? { weightKg: null } : {}),
    ...(fields.has('ownReferences') ? { ownReferences: readReferences(fields) } : {}),
  };
  return { itemId, fields: changes };
}

/** Whether an update takes effect without a commit of its own. */
export function parseAutoCommit(body: unknown): boolean {
  const fields = fieldsOf(body);
  return !fields.has('autoCommit') || fields.flag('autoCommit');
}

/** The body of the batch price update. */
export function parsePrices(body: unknown): readonly Revision[] {
  const items = fieldsOf(body).list('items');
  if (items.length < 1 || items.length > 50)
    throw new Refusal(400, 'InvalidRequest', 'items must have 1 to 50 entries');
  return items.map((item, index) => {
    const fields = fieldsOf(item, { prefix: `items.${index}.` });
    return {
      itemId: fields.number('itemId', { whole: true }),
      fields: { startPrice: readStartPrice(fields), buyItNowPrice: null, ...changedPrices(fields) },
    };
  });
}

function checkFixedFields(fields: Fields): void {
  fields.number('itemType', { whole: true, min: 1, max: 1 });
  fields.number('acceptedBidderId', { whole: true, min: 1, max: 3 });
  if (fields.has('restarts')) fields.number('restarts', { whole: true, max: 2 });
  if (fields.has('autoCommit')) fields.flag('autoCommit');
}

function readEnd(fields: Fields, now: number): number {
  const end = Date.parse(fields.text('customEndDate', { max: 40 }));
  if (!(end > now && end <= now + daysMax * dayMs))
    throw new Refusal(400, 'InvalidRequest', `customEndDate must be a time in the next ${daysMax} days`);
  return end;
}

function readCategory(fields: Fields): number {
  const categoryId = fields.number('categoryId', { whole: true });
  if (!categories.some(([first, last]) => categoryId >= first && categoryId <= last))
    throw new Refusal(400, 'InvalidRequest', `there is no category ${categoryId}`);
  return categoryId;
}

/** The prices in an update: null removes a buy-now price, and leaves a reserve price unchanged. */
const changedPrices = (fields: Fields): Partial<ListingFields> => ({
  ...(fields.has('reservePrice') ? { reservePrice: readPrice(fields, 'reservePrice') } : {}),
  ...(fields.raw('buyItNowPrice') === null ? { buyItNowPrice: null } : {}),
  ...(fields.has('buyItNowPrice') ? { buyItNowPrice: readPrice(fields, 'buyItNowPrice') } : {}),
});

/** Start below reserve below buy-now. Throws a 400. */
export function checkPrices({ startPrice, reservePrice, buyItNowPrice }: Prices): void {
  const refuse = (what: string): never => {
    throw new Refusal(400, 'InvalidRequest', what);
  };
  if (reservePrice !== null && reservePrice <= startPrice) refuse('reservePrice must be above startPrice');
  if (buyItNowPrice !== null && buyItNowPrice <= Math.max(startPrice, reservePrice ?? 0))
    refuse('buyItNowPrice must be above startPrice and reservePrice');
}

type Prices = Pick<ListingFields, 'startPrice' | 'reservePrice' | 'buyItNowPrice'>;

/** Pick-up, in this simulator's numbering, is allowed as a third. */
const pickUp = 3;

function readShipping(fields: Fields): readonly ShippingOption[] {
  const options = readShippingOptions(fields);
  const sent = options.filter(({ shippingOptionId }) => shippingOptionId !== pickUp);
  if (sent.length > 2 || options.length > 3)
    throw new Refusal(400, 'InvalidRequest', 'shippingOptions must have at most 2 entries, and pick-up as a third');
  return options;
}

function readShippingOptions(fields: Fields): readonly ShippingOption[] {
  return fields.list('shippingOptions').map((option, index) => {
    const parts = fieldsOf(option, { prefix: `shippingOptions.${index}.` });
    return {
      shippingOptionId: parts.number('shippingOptionId', { whole: true }),
      cost: parts.number('cost', { whole: true, max: priceMax }),
    };
  });
}

const readTitle = (fields: Fields): string => fields.text('title', { min: 1, max: 255 });
const readDescription = (fields: Fields): string => fields.text('description', { max: 100_000 });
const readDuration = (fields: Fields): number => fields.number('duration', { whole: true, min: 1, max: daysMax });
const readPrice = (fields: Fields, name: string): number => fields.number(name, { whole: true, min: 1, max: priceMax });
const readVat = (fields: Fields): number => fields.number('vat', { whole: true, max: 100 });
const readStartPrice = (fields: Fields): number => fields.number('startPrice', { whole: true, min: 1, max: priceMax });
const readWeight = (fields: Fields): number => fields.number('weightKg', { max: 100_000 });
const readReferences = (fields: Fields): readonly string[] => fields.texts('ownReferences', { min: 1, max: 300 });
